import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../../infra/bundle/index.ts';
import { readExamples } from '../../support/examples.ts';
import {
  type InstalledPackage,
  installPackage,
  type Program,
  runProgram,
} from '../../support/service/installed-package.ts';
import { run } from '../../support/service/run-cli.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { OBJECTS, OBJECTS_PRINTS } from './objects-program.ts';

/** The last version of each Node line that `engines` allows, from npm (100 MB each). */
const NODES = ['20.20.2', '22.23.3', '24.21.0'];
/** The oldest compiler that the package's page names, and the last one before the one that is pinned here. */
const COMPILERS = ['5.7.3', '5.9.3'];
/** Programs that check the packed package: its entries and files, and how each entry resolves to types. */
const CHECKS = [
  { tool: 'publint', version: '0.3.25', before: ['run'], after: ['--strict'] },
  { tool: 'attw', version: '0.18.5', before: [], after: ['--profile', 'esm-only', '--no-color'] },
] as const;

/** A program that follows a stream of messages in SQLite, if Node has it, and prints the set. */
const SQLITE = `
import { openSqliteStore } from '@winnow-dev/client/sqlite';
import { Replica } from '@winnow-dev/client';
const set = new Replica({ store: openSqliteStore(':memory:') });
const body = JSON.stringify({ type: 'ADDED', object: { metadata: { name: 'a', resourceVersion: '1' } } });
await set.handle({ Records: [{ messageId: '1', body }] });
for await (const { metadata } of set.values()) console.log(metadata.name); // a
`;

/** A program that follows objects over the connection of a kubeconfig, and creates a token for AWS. */
const ENTRIES = `
import { awsToken } from '@winnow-dev/client/aws';
import { connectKubeconfig } from '@winnow-dev/client/node';
import { resource } from '@winnow-dev/client/objects';
const winnow = await connectKubeconfig();
const maps = winnow.objects(resource('v1', 'configmaps'), { namespace: winnow.namespace });
const live = maps.live('app=entries');
const left = new Promise<string>((resolve) => live.on('delete', ({ metadata }) => resolve(metadata.name)));
await live.ready;
await maps.delete((await maps.create({ metadata: { name: 'e', labels: { app: 'entries' } } })).metadata);
console.log(await left); // e
await live.stop();
const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
console.log((await awsToken({ clusterId: 'c', region: 'eu-west-1', credentials })())?.slice(0, 11)); // k8s-aws-v1.
`;

const examples = readExamples(join(root, 'lib/client/README.md'));

let installed: InstalledPackage;
let programs: readonly Program[];
let service: Service;

beforeAll(async () => {
  installed = await installPackage('lib/client');
  const nodes = NODES.map((version) => `node-${version}@npm:node@${version}`);
  const compilers = COMPILERS.map((version) => `typescript-${version}@npm:typescript@${version}`);
  const [{ version: publint }, { version: attw }] = CHECKS;
  const checks = [`publint@${publint}`, `@arethetypeswrong/cli@${attw}`];
  await installed.install(...nodes, ...compilers, ...checks);
  service = await startService();
  process.env.WINNOW_URL = service.winnow.url;
  process.env.KUBECONFIG = join(installed.project, 'kubeconfig');
  const config = {
    'current-context': 'c',
    clusters: [{ name: 'c', cluster: { server: service.winnow.url } }],
    contexts: [{ name: 'c', context: { cluster: 'c' } }],
  };
  await writeFile(process.env.KUBECONFIG, JSON.stringify(config));
  programs = await installed.compile([
    ...examples,
    { title: 'SQLite', code: SQLITE, prints: ['a'] },
    { title: 'objects', code: OBJECTS, prints: OBJECTS_PRINTS },
    { title: 'entries', code: ENTRIES, prints: ['e', 'k8s-aws-v1.'] },
  ]);
});

afterAll(async () => {
  delete process.env.WINNOW_URL;
  delete process.env.KUBECONFIG;
  await service?.stop();
  await installed?.remove();
});

describe('@winnow-dev/client, installed into an empty project', () => {
  it.each(NODES)('the package runs every example under Node %s', async (version) => {
    const node = join(installed.project, 'node_modules', `node-${version}`, 'bin/node');
    expect((await run(node, ['--version'])).out.trim()).toBe(`v${version}`);
    for (const program of programs) {
      const { code, out, errors } = await runProgram(program, node);
      if (program.title === 'SQLite' && version.startsWith('20.')) {
        expect(errors).toContain('node:sqlite');
      } else {
        expect({ code, errors: errors.replaceAll(/^\(.*\n/gm, ''), out: out.trimEnd().split('\n') }).toEqual({
          code: 0,
          errors: '',
          out: program.prints,
        });
      }
    }
  });

  it.each(CHECKS)('$tool $version finds no fault in the packed package', async ({ tool, before, after }) => {
    const packed = (await readdir(installed.project)).find((name) => name.endsWith('.tgz')) ?? '';
    const command = join(installed.project, 'node_modules/.bin', tool);
    const { code, out } = await run(command, [...before, packed, ...after], { cwd: installed.project });
    expect([code, code === 0 ? '' : out]).toEqual([0, '']);
    expect(out).toContain(tool === 'publint' ? 'All good' : '@winnow-dev/client/objects');
  });

  it('the page names the oldest compiler that is tested', () => {
    const page = readFileSync(join(root, 'lib/client/README.md'), 'utf8');
    expect(COMPILERS[0]).toMatch(`${page.match(/TypeScript (\d+\.\d+) and newer/)?.[1]}.`);
  });

  it.each(COMPILERS)('the package and its public types are accepted by TypeScript %s', async (version) => {
    for (const name of ['surface', 'types', 'fleet']) {
      const code = readFileSync(join(root, `test/unit/client/objects/${name}.ts`), 'utf8')
        .replace(/'[./]*lib\/client\/objects\/index\.ts'/, "'@winnow-dev/client/objects'")
        .replace("'./fleet.ts'", "'./fleet.js'");
      await writeFile(join(installed.project, `${name}.ts`), code);
    }
    const compiler = join(installed.project, `node_modules/typescript-${version}/bin/tsc`);
    await expect(installed.compile(examples, compiler)).resolves.toHaveLength(examples.length);
  });
});
