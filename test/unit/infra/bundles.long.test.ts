import { execFile } from 'node:child_process';
import { glob, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { bundle } from '../../../infra/bundle/bundle.ts';
import { bundleFunctions, readParts } from '../../../infra/bundle/bundle-functions.ts';
import { root, writeWhole } from '../../../infra/bundle/index.ts';
import { TOGETHER } from '../../../infra/bundle/join-start.ts';
import { removeOthers } from '../../../infra/bundle/remove-others.ts';
import { BUNDLE_BARS } from '../../bench/bars.ts';
import { runBundled } from '../../support/service/bundled.ts';

const LARGEST = 8;
/** The most bytes that the first rule loads: the types and the evaluation of expressions. */
const CEL_BYTES = 85_000;
/** The number of files that a start loads: the entry point, the shared chunk, and the helpers of esbuild. */
const FILES = 3;

describe('the code of every function', () => {
  it('every bundle is small; this test names the largest parts of one that is not', async () => {
    const bundles = await bundleFunctions();
    const tooLarge = bundles.bundles.filter(({ name, bytes }) => bytes > BUNDLE_BARS[name]);
    const reports = tooLarge.map(async ({ name, bytes }) => ({
      name,
      bytes,
      atMost: BUNDLE_BARS[name],
      largest: Object.entries(await readParts(bundles, name)).slice(0, LARGEST),
    }));
    expect(await Promise.all(reports)).toEqual([]);
  });

  it('a function starts from few files', async () => {
    const { bundles } = await bundleFunctions();
    const many = bundles.filter(({ loaded }) => loaded.length > FILES);
    expect(many.map(({ name, loaded }) => [name, ...loaded])).toEqual([]);
  });

  it('a bundle holds exactly the files that it imports, and imports only packages of Node', async () => {
    const { bundles } = await bundleFunctions();
    for (const { name, file } of bundles) {
      const chunks: string[] = [];
      for await (const chunk of glob('chunks/*.mjs', { cwd: dirname(file) })) chunks.push(basename(chunk));
      const code = [file, ...chunks.map((chunk) => join(dirname(file), 'chunks', chunk))];
      const texts = await Promise.all(code.map((path) => readFile(path, 'utf8')));
      const imported = texts.flatMap((text) =>
        [...text.matchAll(/(?:from|import\(?)"\.[^"]*\/([^"/]+)"/g)].map(([, chunk = '']) => chunk),
      );
      expect([name, ...new Set(imported)].sort()).toEqual([name, ...chunks].sort());
      const packages = texts.flatMap((text) =>
        [...text.matchAll(/(?:[}\w]\s*from|\bimport\(?)"([@\w][\w./:@-]*)"/g)].map(([, from = '']) => from),
      );
      expect([name, ...packages.filter((from) => !isBuiltin(from))]).toEqual([name]);
    }
  });

  it('a bundle holds no credential providers except that of the environment', async () => {
    const bundles = await bundleFunctions();
    for (const { name } of bundles.bundles) {
      const providers = Object.keys(await readParts(bundles, name)).filter((part) =>
        /credential-provider|nested-clients|token-providers/.test(part),
      );
      expect([name, ...providers]).toEqual(
        name === 'authorizer' || name === 'subscription-resource'
          ? [name]
          : [name, '@aws-sdk/credential-provider-env'],
      );
    }
  });
});

describe('the code that a start loads', () => {
  const PROGRAM: Readonly<Record<string, string>> = {
    'room/index.ts':
      "export { now } from './now.ts'; export { later } from './later.ts';\nexport { never } from './never.ts';",
    'room/now.ts': "export const now = 'NOW';",
    'room/later.ts': "import { now } from './now.ts'; export const later = () => now + ' AND LATER';",
    'room/never.ts': "export const never = () => import('./idle.ts');",
    'room/idle.ts': "import { now } from './now.ts'; export const idle = now + ' IDLE';",
    'demanded.ts':
      "import {\n  type never,\n  later as told,\n} from './room/index.ts';\nexport const tell = () => told();",
    'program.ts':
      "import { now } from './room/index.ts';\nimport('./demanded.ts').then(({ tell }) => console.log(now, tell()));",
  };

  it('a start loads one file without the code that it imports on demand, also if an index exports more', async () => {
    await mkdir(join(root, 'dist'), { recursive: true });
    const directory = await mkdtemp(join(root, 'dist', 'start-'));
    try {
      for (const [name, text] of Object.entries(PROGRAM)) {
        await writeWhole(join(directory, name), `${text}\n`);
      }
      const { files, loaded } = await bundle(join(directory, 'program.ts'), join(directory, 'out/index.mjs'));
      const textOf = async (paths: readonly string[]) =>
        (await Promise.all(paths.map((path) => readFile(path, 'utf8')))).join('');
      const code = files.filter((path) => path.endsWith('.mjs'));
      expect(await textOf(code)).toMatch(/AND LATER/);
      expect(await textOf(code)).not.toMatch(/IDLE/);
      const start = await textOf(loaded.map((path) => join(root, path)));
      expect([start.includes('NOW'), start.includes('AND LATER'), loaded.length]).toEqual([true, false, 2]);
      const { stdout } = await promisify(execFile)(process.execPath, [join(directory, 'out/index.mjs')]);
      expect(stdout).toBe('NOW NOW AND LATER\n');
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe('the code that a write loads on demand', () => {
  it('a write loads one file on demand, besides that of the start', async () => {
    const { directory } = await bundleFunctions(['write']);
    const chunks = join(directory, 'write', 'chunks');
    const names = (await readdir(chunks)).filter((name) => /^together-.*mjs$/.test(name));
    const textOf = (name = '') => readFile(join(chunks, name), 'utf8');
    const importedBy = (code: string) =>
      [...code.matchAll(/from"\.\/([^"]+)"/g)].map(([, name = '']) => name);
    const text = await textOf(names[0]);
    const files = importedBy(text);
    const start = importedBy(await textOf(files[0]));
    expect([names.length, files.length, start.length]).toEqual([1, 1, 1]);
    const rooms = await Promise.all(TOGETHER.map((path) => import(join(root, path))));
    const exported = rooms.flatMap((room) => Object.keys(room));
    expect(exported).toEqual([...new Set(exported)]);
    for (const name of exported) expect(text).toMatch(new RegExp(`\\b${name}\\b`));
  });

  it('the first rule of a definition loads at most 85 KB', async () => {
    const { directory } = await bundleFunctions(['write']);
    const chunks = join(directory, 'write', 'chunks');
    const codeOf = (name: string) => readFile(join(chunks, name), 'utf8');
    const loadedBy = async (file: string): Promise<string[]> => {
      const names = [...(await readFile(file, 'utf8')).matchAll(/from"\.\/(?:chunks\/)?([^"]+)"/g)].map(
        ([, name = '']) => name,
      );
      const further = await Promise.all(names.map((name) => loadedBy(join(chunks, name))));
      return [...new Set([...names, ...further.flat()])];
    };
    const start = await loadedBy(join(directory, 'write', 'index.mjs'));
    const [first = ''] = (await readdir(chunks)).filter((name) => /^cel-.*\.mjs$/.test(name));
    expect(await codeOf(first)).toMatch(/\bMeter\b/);
    const loaded = [first, ...(await loadedBy(join(chunks, first)))].filter((name) => !start.includes(name));
    const sizes = await Promise.all(loaded.map(async (name) => Buffer.byteLength(await codeOf(name))));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(CEL_BYTES);
    expect(start.includes(first)).toBe(false);
  });
});

describe('a bundled client of AWS', () => {
  const code = `import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
const credentials = await new DynamoDBClient({ region: 'eu-west-1' }).config.credentials().catch(({ message }) => ({ message }));
console.log(JSON.stringify(credentials));`;

  it('a bundled client takes the credentials of the environment, including the session token', async () => {
    const environment = {
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: 'session',
      // A variable that Lambda does not set has no effect.
      AWS_PROFILE: 'somebody',
    };
    expect(JSON.parse(await runBundled(code, environment))).toMatchObject({
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      sessionToken: 'session',
    });
  });

  it('a bundled client reports where it looked for credentials if there are none', async () => {
    expect(JSON.parse(await runBundled(code))).toEqual({
      message: 'Unable to find environment variable credentials.',
    });
  });
});

describe('the files of an earlier build', () => {
  it('removeOthers deletes old files, but not those that another process is about to write', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'winnow-chunks-'));
    try {
      await mkdir(join(directory, 'chunks'));
      const names = [
        'kept.mjs',
        'kept.mjs.map',
        'old.mjs',
        'old.mjs.map',
        'new.mjs.4289',
        'new.mjs.map.4289',
      ];
      for (const name of names) await writeFile(join(directory, 'chunks', name), '');
      const files = ['kept.mjs', 'kept.mjs.map'].map((name) => join(directory, 'chunks', name));
      await removeOthers(directory, files);
      const left = await readdir(join(directory, 'chunks'));
      expect(left.sort()).toEqual(['kept.mjs', 'kept.mjs.map', 'new.mjs.4289', 'new.mjs.map.4289']);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
