import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

const REVIEW = `
apiVersion: winnow.dev/v1
kind: SelectionReview
spec:
  resource: {resource: pods}
  namespace: default
  name: web-1
  labels: {app: web, track: canary}
`;

let cluster: Cluster;
let terminal: Terminal;

beforeAll(async () => {
  cluster = await startCluster();
  terminal = cluster.terminal;
  await terminal.run('kubectl run web-1 --image=nginx --labels=app=web');
  await terminal.run('kubectl create service clusterip web --tcp=80');
  await terminal.run('kubectl create service clusterip canary --tcp=80');
  await terminal.run('kubectl set selector service canary track=canary');
});

afterAll(() => cluster?.stop());

describe('Carriers and the pods that they select', () => {
  it('kubectl get --raw lists the carriers that select a pod', async () => {
    const text = await terminal.run('kubectl get --raw /api/v1/namespaces/default/pods/web-1/selectedby');
    const { kind, items } = JSON.parse(text);
    expect(kind).toBe('SelectionList');
    expect(items.map((one: { metadata: object; selector: string }) => [one.metadata, one.selector])).toEqual([
      [expect.objectContaining({ name: 'web', namespace: 'default' }), 'app=web'],
    ]);
  });

  it('kubectl get --raw lists the pods that a carrier selects', async () => {
    const text = await terminal.run('kubectl get --raw /api/v1/namespaces/default/services/web/selected');
    const { kind, items } = JSON.parse(text);
    expect([kind, items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)]).toEqual([
      'PodList',
      ['web-1'],
    ]);
  });
});

describe('A SelectionReview', () => {
  it('kubectl create prints the carriers that would begin to select a pod', async () => {
    const path = '{.status.begins[*].metadata.name} of {.status.selectedBy[*].metadata.name}';
    expect(await terminal.run(`echo '${REVIEW}' | kubectl create -f - -o 'jsonpath=${path}'`)).toBe(
      'canary of canary web',
    );
  });

  it('kubectl explain describes a SelectionReview', async () => {
    const lines = await terminal.lines('kubectl explain selectionreview.status');
    expect(lines.join('\n')).toMatch(/begins.*\n.*The selectors that match it after/);
  });
});
