import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import packageJson from '../../../package.json' with { type: 'json' };
import { run, winnow, winnowUnder } from '../../support/service/run-cli.ts';

const ROOT = join(import.meta.dirname, '../../..');
const OFTEN = ['start', 'demo', 'kubeconfig', 'doctor', 'place', 'tail', 'verify', 'subscriptions'];
const SELDOM = [
  'console',
  'can-reach',
  'who-selects',
  'members',
  'facets',
  'export',
  'import',
  'restore',
  'upgrade',
];
const COMMANDS = [...OFTEN, ...SELDOM];

describe('the program winnow', () => {
  it('winnow --version prints the version', async () => {
    expect(await winnow('--version')).toEqual({ code: 0, out: `${packageJson.version}\n`, errors: '' });
  });

  it('winnow --help names every command', async () => {
    const { code, out } = await winnow('--help');
    expect(code).toBe(0);
    for (const command of COMMANDS) expect(out).toMatch(new RegExp(`^  ${command} `, 'm'));
  });

  it.each(COMMANDS)('winnow %s --help lists its options', async (command) => {
    const { code, out } = await winnow(command, '--help');
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^Usage: bin/winnow.js ${command} .*\\n\\n\\w`));
    expect(out).toMatch(/^ {2}.*--\w+ /m);
  });

  it.each([
    ['no command', [], 'Usage: bin/winnow.js'],
    ['a command that is none', ['strat'], "unknown command 'strat'\n(Did you mean start?)"],
    ['an option that is none', ['doctor', '--ulr', 'x'], "unknown option '--ulr'\n(Did you mean --url?)"],
    ['a port that is none', ['start', '--port', '70000'], 'It must be a port, 0 to 65535.'],
    ['a missing value', ['kubeconfig', '--stack'], "option '--stack <name>' argument missing"],
    ['a stack for what asks no stack', ['doctor', '--stack', 'X'], '--stack needs --alarms'],
    ['what is too much', ['start', 'now'], 'too many arguments'],
    [
      'options that exclude each other',
      ['doctor', '--url', 'http://a', '--kubeconfig', 'b'],
      "'--url <url>' cannot be used with option '--kubeconfig <file>'",
    ],
  ])('winnow refuses %s with exit code 2', async (_what, parameters, says) => {
    const { code, out, errors } = await winnow(...parameters);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(errors).toContain(says);
  });
});

describe('an error message of winnow', () => {
  it('an error message is followed by a remedy', async () => {
    const { code, errors } = await winnow('facets', 'pods', 'app', '--url', 'http://127.0.0.1:1');
    const [what, advice] = errors.split('\n');
    expect([code, what]).toEqual([1, 'nothing listens at 127.0.0.1:1']);
    expect(advice).toMatch(/^Is it running\? .*\.$/);
  });
});

describe('a closed output pipe', () => {
  it('a closed output pipe ends winnow without a message', async () => {
    const child = spawn(process.execPath, [join(ROOT, 'bin/winnow.js'), '--help'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const errors = text(child.stderr);
    child.stdout.destroy();
    const [code] = await once(child, 'close');
    expect({ code, errors: await errors }).toEqual({ code: 141, errors: '' });
  });
});

describe('the launcher of winnow', () => {
  it('the launcher runs the pinned Node if an older one starts it', async () => {
    expect(await winnowUnder('20.0.0', '--version')).toMatchObject({
      code: 0,
      out: `${packageJson.version}\n`,
    });
    expect(await winnowUnder('20.0.0', 'strat')).toMatchObject({ code: 2 });
  });

  it('the launcher runs under every Node of this machine', async () => {
    const found = execFileSync('which', ['-a', 'node'], { encoding: 'utf8' }).trim().split('\n');
    expect(found.length).toBeGreaterThan(0);
    for (const node of new Set(found)) {
      const { code, out } = await run(node, [join(ROOT, 'bin/winnow.js'), '--version']);
      expect({ node, code, out }).toEqual({ node, code: 0, out: `${packageJson.version}\n` });
    }
  });

  it('the launcher runs by the path in the documentation, without npm', async () => {
    const { code, out } = await run('bin/winnow.js', ['--version'], { cwd: ROOT });
    expect({ code, out }).toEqual({ code: 0, out: `${packageJson.version}\n` });
  });

  it('npx --no and npm exec --no find the launcher in a clone', async () => {
    for (const command of [['npx'], ['npm', 'exec']]) {
      const [program = '', ...rest] = [...command, '--no', '--', 'winnow', '--version'];
      const { code, out } = await run(program, rest, { cwd: ROOT });
      expect({ code, out }).toEqual({ code: 0, out: `${packageJson.version}\n` });
    }
  });

  it('no text tells users to run npx winnow, which outside a clone fetches a foreign package', async () => {
    const pages = glob(['*.md', '{bin,cli,docs,examples,functions,infra,lib}/**/*.{js,ts,md}'], {
      cwd: ROOT,
    });
    const telling: string[] = [];
    for await (const page of pages) {
      if (/np(x|m exec) (?!--no -- )winnow/.test(await readFile(join(ROOT, page), 'utf8'))) {
        telling.push(page);
      }
    }
    expect(telling).toEqual([]);
    expect(packageJson.private).toBe(true);
  });
});
