import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { root } from '../../infra/bundle/index.ts';
import { run } from '../support/service/run-cli.ts';
import { followPage } from './harness/follow-page.ts';
import { type Cluster, startCluster } from './harness/start-cluster.ts';

const LOCAL = 'http://127.0.0.1:8080';
const read = (page: string) => readFileSync(join(root, 'docs', page), 'utf8');

let cluster: Cluster;

beforeEach(async () => {
  cluster = await startCluster();
});
afterEach(() => cluster?.stop());

it('Each command of the tutorial prints what the page shows', async () => {
  const prepare = (command: string) => `cd ${root} && ${command.replace(LOCAL, cluster.service.winnow.url)}`;
  expect(await followPage(read('tutorial.md'), cluster.terminal, prepare)).toBe(10);
}, 120_000);

it('Each command of the tutorial in TypeScript prints what the page shows', async () => {
  const page = read('typed-client.md');
  const folder = await mkdtemp(join(tmpdir(), 'winnow-tutorial-'));
  try {
    const [, setUp = ''] = /^```\n(mkdir .*?)^```$/ms.exec(page) ?? [];
    const installing = await run('bash', ['-e', '-c', setUp], {
      cwd: folder,
      env: { ...process.env, WINNOW: root },
    });
    expect(installing).toMatchObject({ code: 0 });
    const project = join(folder, 'fleet');
    for (const [, file = '', code = ''] of page.matchAll(/^```ts file=(\S+)\n(.*?)^```$/gms)) {
      await writeFile(join(project, file), code.replaceAll(LOCAL, cluster.service.winnow.url));
    }
    expect(await followPage(page, cluster.terminal, (command) => `cd ${project} && ${command}`)).toBe(5);
  } finally {
    await rm(folder, { recursive: true });
  }
}, 240_000);
