import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../lib/json/index.ts';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

const HISTORIES = '/apis/winnow.dev/v1/namespaces/default/histories?fieldSelector=resource%3Dpods';

let cluster: Cluster;
let terminal: Terminal;

beforeAll(async () => {
  cluster = await startCluster({ newestSchema: true });
  terminal = cluster.terminal;
  await terminal.run('kubectl run web-1 --image=nginx --labels=app=web');
  await terminal.run('kubectl run db-1 --image=nginx --labels=app=db');
  await terminal.run('kubectl label pod web-1 app-');
  await terminal.run('kubectl label pod web-1 app=web');
});

afterAll(() => cluster?.stop());

describe('kubectl get histories', () => {
  it('the Table shows what entered and left a set, with its author', async () => {
    const lines = await terminal.table('kubectl get histories --field-selector resource=pods -l app=web');
    expect(lines.map((cells) => cells.slice(0, 2))).toEqual([
      ['NAME', 'TYPE'],
      ['web-1', 'Entered'],
      ['web-1', 'Left'],
      ['web-1', 'Entered'],
    ]);
    expect(lines[0]).toEqual(['NAME', 'TYPE', 'VERSION', 'USER', 'MANAGER', 'CHANGE', 'AGE']);
    expect(lines[2]?.slice(3, 6)).toEqual([expect.any(String), 'kubectl-label', '-labels']);
  });

  it('-o wide adds columns, -A the namespace, and chunks follow each other', async () => {
    const [header, ...lines] = await terminal.table(
      'kubectl get histories -A -o wide --field-selector resource=pods --chunk-size=1',
    );
    const names = ['NAMESPACE', 'NAME', 'TYPE', 'VERSION', 'USER', 'MANAGER', 'CHANGE', 'AGE'];
    expect(header).toEqual([...names, 'TIME', 'PREVIOUS', 'CAUSE', 'AUDIT ID']);
    expect(lines.map((cells) => cells.slice(0, 3).join(' '))).toEqual([
      'default web-1 Updated',
      'default web-1 Updated',
      'default db-1 Created',
      'default web-1 Created',
    ]);
  });

  it('-o yaml prints the patch of each change', async () => {
    const text = await terminal.run(
      'kubectl get histories --field-selector resource=pods,metadata.name=web-1 -o yaml',
    );
    expect(text).toMatch(/op: remove\n\s+path: \/metadata\/labels/);
    expect(text).toMatch(/kind: History\n/);
  });

  it('a request without a resource says what is missing', async () => {
    expect(await terminal.refused('kubectl get histories')).toContain(
      'fieldSelector: resource is required: name one resource, such as resource=pods',
    );
  });

  it('kubectl explain describes the fields', async () => {
    const lines = await terminal.lines('kubectl explain history.patch');
    expect(lines.join('\n')).toMatch(/JSON patch \(RFC 6902\)/);
  });

  it('kubectl auth can-i knows the subresource: an editor may not read the history of Secrets', async () => {
    await terminal.run('kubectl create rolebinding editor --clusterrole=edit --user=ed');
    const ask = 'kubectl auth can-i get SUBJECT --subresource=history --as=ed';
    expect(await terminal.either(ask.replace('SUBJECT', 'secrets'))).toEqual({ code: 1, output: 'no' });
    expect((await terminal.run(ask.replace('SUBJECT', 'pods'))).trim()).toBe('yes');
  });
});

describe('kubectl get --raw', () => {
  it('history of an object has each change', async () => {
    const { kind, items, end } = JSON.parse(
      await terminal.run('kubectl get --raw /api/v1/namespaces/default/pods/web-1/history'),
    );
    expect([kind, end]).toEqual(['HistoryList', 'Created']);
    expect(items.map(({ type, manager }: JsonObject) => [type, manager])).toEqual([
      ['Updated', 'kubectl-label'],
      ['Updated', 'kubectl-label'],
      ['Created', 'kubectl-run'],
    ]);
  });

  it('histories are listed, and a list at a time has the labels of that time', async () => {
    const { items } = JSON.parse(
      await terminal.run(`kubectl get --raw '${HISTORIES}&labelSelector=app%3Dweb'`),
    );
    const [, left] = items;
    const at = encodeURIComponent(left.time);
    const pods = `/api/v1/namespaces/default/pods?labelSelector=app%3Dweb&at=${at}`;
    const past = JSON.parse(await terminal.run(`kubectl get --raw '${pods}'`));
    expect([past.items, past.metadata.resourceVersion]).toEqual([[], left.resourceVersion]);
  });
});
