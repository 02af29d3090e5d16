import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from './harness/start-cluster.ts';

/** Since this one `whoami` is there. */
const WHOAMI = 27;

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
});

afterAll(() => cluster?.stop());

describe('kubectl auth', () => {
  it.each(['create pods', 'delete nodes', 'get /version', '"*" "*" --all-namespaces'])(
    'can-i %s',
    async (what) => {
      expect(await cluster.terminal.run(`kubectl auth can-i ${what}`)).toBe('yes');
    },
  );

  it('can-i --list', async () => {
    const [, ...rules] = await cluster.terminal.table('kubectl auth can-i --list');
    expect(rules[0]).toEqual(['*.*', '[]', '[]', '[*]']);
  });

  it('whoami', async () => {
    if (cluster.kubectl.minor < WHOAMI) return;
    const table = await cluster.terminal.table('kubectl auth whoami');
    expect(table.slice(1)).toEqual([
      ['Username', 'system:anonymous'],
      ['Groups', '[system:unauthenticated]'],
    ]);
  });
});
