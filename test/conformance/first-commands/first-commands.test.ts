import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../../infra/bundle/index.ts';
import { findKubectls } from '../harness/kubectl-binaries.ts';
import { type Cluster, startCluster } from '../harness/start-cluster.ts';
import type { Terminal } from '../harness/terminal.ts';
import { FIRST_COMMANDS, MANIFESTS } from './commands.ts';

describe.each(findKubectls())('The first commands of a new user, with kubectl $version', (kubectl) => {
  let cluster: Cluster;
  let terminal: Terminal;
  let folder: string;

  beforeAll(async () => {
    cluster = await startCluster();
    terminal = await cluster.open(kubectl);
    folder = await mkdtemp(join(tmpdir(), 'winnow-stranger-'));
    await cp(join(root, 'examples'), join(folder, 'examples'), { recursive: true });
    for (const [name, text] of Object.entries(MANIFESTS)) await writeFile(join(folder, name), text);
  });

  afterAll(async () => {
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(FIRST_COMMANDS.filter(({ since = 0 }) => kubectl.minor >= since))(
    'Winnow answers as expected: $command',
    async ({ command, says, isRefused }) => {
      const line = `cd ${folder} && ${command}`;
      expect(await (isRefused ? terminal.refused(line) : terminal.run(line))).toMatch(says);
    },
  );
});
