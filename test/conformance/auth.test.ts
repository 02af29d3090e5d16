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
      ['Username', 'local'],
      ['Groups', '[system:masters system:authenticated]'],
    ]);
  });

  it('whoami --as somebody else', async () => {
    if (cluster.kubectl.minor < WHOAMI) return;
    const other = 'kubectl auth whoami --as jane --as-group fleet --as-group a,b --as-uid 7';
    const table = await cluster.terminal.table(other);
    expect(table.slice(1)).toEqual([
      ['Username', 'jane'],
      ['UID', '7'],
      ['Groups', '[fleet a,b system:authenticated]'],
    ]);
  });

  it('can-i --as somebody who may nothing', async () => {
    await expect(cluster.terminal.run('kubectl auth can-i create pods --as jane')).rejects.toThrow('no');
  });
});

describe('kubectl --as a user with a grant of some objects', () => {
  const as = (line: string) => cluster.terminal.run(`kubectl --as tenant ${line}`);

  beforeAll(() => cluster.terminal.run('kubectl apply -f conformance/manifests/team-a.yaml'));

  it('shows the grant', async () => {
    const [, grant] = await cluster.terminal.table('kubectl get accessgrants');
    expect(grant?.slice(0, 3)).toEqual(['team-a', 'ClusterRole/edit', 'team=a']);
  });

  it('gets what is selected, and nothing else', async () => {
    const [, ...rows] = await cluster.terminal.table('kubectl --as tenant get configmaps');
    expect(rows.map(([name]) => name)).toEqual(['mine']);
    await expect(as('delete configmap theirs')).rejects.toThrow('configmaps "theirs" not found');
    await expect(as('create configmap theirs')).rejects.toThrow('already exists');
  });

  it('watches what is labelled into it and out of it', async () => {
    const watching = cluster.terminal.start('kubectl --as tenant get configmaps -w --output-watch-events');
    await watching.until((lines) => lines.length === 2);
    await cluster.terminal.run('kubectl label configmap theirs team=a --overwrite');
    await cluster.terminal.run('kubectl label configmap mine team=b --overwrite');
    const told = await watching.table(4);
    watching.end();
    expect(told.slice(1).map(([type, name]) => [type, name])).toEqual([
      ['ADDED', 'mine'],
      ['ADDED', 'theirs'],
      ['DELETED', 'mine'],
    ]);
  });

  it('changes what is selected, and keeps it so', async () => {
    expect(await as('annotate configmap theirs a=b')).toBe('configmap/theirs annotated');
    await expect(as('label configmap theirs team=b --overwrite')).rejects.toThrow(
      'only with labels that match team=a',
    );
    expect(await as('auth can-i update configmaps')).toBe('yes');
  });
});
