import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from './harness/start-cluster.ts';

/** The first minor version of kubectl with `whoami`. */
const WHOAMI = 27;

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
});

afterAll(() => cluster?.stop());

describe('kubectl auth', () => {
  it.each(['create pods', 'delete nodes', 'get /version', '"*" "*" --all-namespaces'])(
    'kubectl auth can-i %s answers yes',
    async (what) => {
      expect(await cluster.terminal.run(`kubectl auth can-i ${what}`)).toBe('yes');
    },
  );

  it('kubectl auth can-i --list lists all rules', async () => {
    const [, ...rules] = await cluster.terminal.table('kubectl auth can-i --list');
    expect(rules[0]).toEqual(['*.*', '[]', '[]', '[*]']);
  });

  it('kubectl auth whoami shows the local user and its groups', async () => {
    if (cluster.kubectl.minor < WHOAMI) return;
    const table = await cluster.terminal.table('kubectl auth whoami');
    expect(table.slice(1)).toEqual([
      ['Username', 'local'],
      ['Groups', '[system:masters system:authenticated]'],
    ]);
  });

  it('kubectl auth whoami --as shows the impersonated user', async () => {
    if (cluster.kubectl.minor < WHOAMI) return;
    const other = 'kubectl auth whoami --as jane --as-group fleet --as-group a,b --as-uid 7';
    const table = await cluster.terminal.table(other);
    expect(table.slice(1)).toEqual([
      ['Username', 'jane'],
      ['UID', '7'],
      ['Groups', '[fleet a,b system:authenticated]'],
    ]);
  });

  it('kubectl auth can-i --as answers no for a user without roles', async () => {
    await expect(cluster.terminal.run('kubectl auth can-i create pods --as jane')).rejects.toThrow('no');
  });
});

describe('kubectl --as a user whose grant selects some objects', () => {
  const as = (line: string) => cluster.terminal.run(`kubectl --as tenant ${line}`);

  beforeAll(() => cluster.terminal.run('kubectl apply -f conformance/manifests/team-a.yaml'));

  it('shows the grant', async () => {
    const [, grant] = await cluster.terminal.table('kubectl get accessgrants');
    expect(grant?.slice(0, 3)).toEqual(['team-a', 'ClusterRole/edit', 'team=a']);
  });

  it('gets the selected objects, and no others', async () => {
    const [, ...rows] = await cluster.terminal.table('kubectl --as tenant get configmaps');
    expect(rows.map(([name]) => name)).toEqual(['mine']);
    await expect(as('delete configmap theirs')).rejects.toThrow('configmaps "theirs" not found');
    await expect(as('create configmap theirs')).rejects.toThrow('already exists');
  });

  it('shows an object that a label adds to the grant, or removes from it, in a watch', async () => {
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

  it('changes selected objects, and cannot label them out of the grant', async () => {
    expect(await as('annotate configmap theirs a=b')).toBe('configmap/theirs annotated');
    await expect(as('label configmap theirs team=b --overwrite')).rejects.toThrow(
      'only with labels that match team=a',
    );
    expect(await as('auth can-i update configmaps')).toBe('yes');
  });
});
