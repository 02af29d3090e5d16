import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

let cluster: Cluster;
let terminal: Terminal;

beforeAll(async () => {
  cluster = await startCluster();
  terminal = cluster.terminal;
  await terminal.run('kubectl apply -f fixtures -f conformance/manifests/team.yaml');
  // kubectl requests the events of one uid.
  await terminal.run(
    `uid=$(kubectl get pod redis-leader -o jsonpath='{.metadata.uid}')
     sed "s/of-the-pod/$uid/" conformance/manifests/event.yaml | kubectl apply -f -`,
  );
});

afterAll(() => cluster?.stop());

/** The lines of `kubectl describe`, with every run of blanks as one. */
async function shown(what: string): Promise<readonly string[]> {
  return (await terminal.lines(`kubectl describe ${what}`)).map((line) => line.trim().replace(/\s+/g, ' '));
}

describe('kubectl describe', () => {
  it.each([
    ['pod redis-leader', ['Name: redis-leader', 'Status: Pending', 'Image: redis:7']],
    ['service redis', ['Name: redis', 'Selector: component=redis']],
    [
      'deployment -n team web',
      [
        'Selector: app=web',
        'Image: nginx:1.27',
        'Replicas: 2 desired | 0 updated | 0 total | 0 available | 0 unavailable',
      ],
    ],
    ['replicationcontroller guestbook-stable', ['Selector: app=guestbook,release=stable,tier=frontend']],
    ['node gpu-1', ['Name: gpu-1', 'Labels: accelerator=nvidia-tesla-p100']],
    ['namespace team', ['Name: team', 'Status: Active', 'owner=search']],
    ['configmap -n team settings', ['color:', 'blue']],
    ['secret -n team login', ['user: 5 bytes']],
    [
      'subscription frontends',
      ['Kind: Subscription', 'Label Selector: tier=frontend,environment in (production,qa)'],
    ],
  ])('describes a %s', async (what, lines) => {
    const text = (await shown(what)).join('\n');
    for (const line of lines) expect(text).toContain(line);
  });

  it('describes the objects that a selector selects', async () => {
    expect((await shown('pods -l tier=cache')).filter((line) => line.startsWith('Name:'))).toEqual([
      'Name: redis-dev',
      'Name: redis-leader',
    ]);
  });

  it('shows the events of the object', async () => {
    expect((await shown('pod redis-leader')).at(-1)).toMatch(
      /^Warning BackOff .* kubelet Back-off restarting/,
    );
    expect((await shown('pod redis-dev')).at(-1)).toBe('Events: <none>');
  });
});

describe('Events', () => {
  it('kubectl get events lists the Events', async () => {
    const [head, row] = await terminal.table('kubectl get events --field-selector involvedObject.kind=Pod');
    expect(head).toEqual(['LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE']);
    expect(row?.slice(1)).toEqual([
      'Warning',
      'BackOff',
      'pod/redis-leader',
      'Back-off restarting failed container',
    ]);
  });

  it('kubectl events lists the Events of an object', async () => {
    const [, row] = await terminal.table('kubectl events --for pod/redis-leader');
    expect(row?.slice(1)).toEqual([
      'Warning',
      'BackOff',
      'Pod/redis-leader',
      'Back-off restarting failed container',
    ]);
    expect((await terminal.either('kubectl events --for pod/redis-dev')).output).toContain('No events found');
  });

  it('Field selectors select Events', async () => {
    const selected = (fields: string) =>
      terminal.lines(`kubectl get events -o name --field-selector ${fields}`);
    expect(await selected('involvedObject.name=redis-leader,type=Warning')).toEqual(['event/redis-leader.1']);
    expect(await selected('involvedObject.kind=Pod,reason!=BackOff')).toEqual([]);
  });
});
