import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findKubectls } from './harness/kubectl-binaries.ts';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
});

afterAll(() => cluster?.stop());

/** Commands that every kubectl in KUBECTL must run: one for each way to use the API. */
describe.each(findKubectls())('kubectl $version', (kubectl) => {
  let terminal: Terminal;
  const namespace = `with-${kubectl.version.replace('.', '-')}`;

  beforeAll(async () => {
    terminal = await cluster.open(kubectl);
    await terminal.run(`kubectl create namespace ${namespace} --dry-run=client -o yaml | kubectl apply -f -`);
    await terminal.run(`kubectl config set-context --current --namespace=${namespace}`);
  });

  it('discovers the API', async () => {
    expect(await terminal.run('kubectl version')).toMatch(/^Server Version: /m);
    expect(await terminal.run('kubectl api-resources')).toMatch(
      /^subscriptions +sub +winnow\.dev\/v1 +true +Subscription$/m,
    );
    expect(await terminal.run('kubectl explain deployment.spec')).toMatch(/^FIELD: spec/m);
  });

  it('applies manifests twice, and shows, creates and replaces', async () => {
    const files = '-f fixtures/pods.yaml -f fixtures/services.yaml';
    expect(await terminal.lines(`kubectl apply ${files}`)).toContain('pod/redis-dev created');
    expect(await terminal.lines(`kubectl apply ${files}`)).toContain('pod/redis-dev unchanged');
    const changed = `sed s/redis:7/redis:8/ fixtures/pods.yaml`;
    expect((await terminal.either(`${changed} | kubectl diff -f -`)).output).toMatch(
      /^\+ +- image: redis:8$/m,
    );
    expect(await terminal.lines(`${changed} | kubectl apply -f -`)).toContain('pod/redis-dev configured');
    expect(await terminal.refused('kubectl create -f fixtures/services.yaml')).toContain('already exists');
    expect(await terminal.lines('kubectl replace -f fixtures/services.yaml')).toContain(
      'service/redis replaced',
    );
  });

  it('selects pods by labels and by fields', async () => {
    const names = (rest: string) => terminal.lines(`kubectl get pods -o name ${rest}`);
    const frontends = ['pod/guestbook-frontend-1', 'pod/guestbook-frontend-2'];
    expect(await names(`-l 'environment in (production),tier in (frontend)'`)).toEqual(frontends);
    expect(await names('-l tier=frontend --chunk-size=1')).toHaveLength(3);
    expect(await names('--field-selector metadata.name=redis-dev')).toEqual(['pod/redis-dev']);
    expect(await names('--sort-by=.metadata.creationTimestamp')).toHaveLength(9);
    expect((await terminal.table('kubectl get pods -A --show-labels')).length).toBeGreaterThan(9);
    expect(await terminal.refused(`kubectl get pods -l 'a in b'`)).toContain(`found 'b' expected: '('`);
  });

  it('describes objects and shows events', async () => {
    expect(await terminal.run('kubectl describe pod redis-leader')).toMatch(/^Name: +redis-leader$/m);
    expect(await terminal.run('kubectl describe service redis')).toMatch(/^Selector: +component=redis$/m);
    expect((await terminal.either('kubectl events')).output).toContain('No events found');
  });

  it('labels, annotates and patches a pod', async () => {
    await terminal.run('kubectl label pods -l component=redis wave=1');
    await terminal.run('kubectl annotate pod redis-dev note=1');
    await terminal.run(
      `kubectl patch pod redis-dev -p '{"spec":{"containers":[{"name":"redis","image":"redis:9"}]}}'`,
    );
    await terminal.run(`kubectl patch pod redis-dev --type=merge -p '{"metadata":{"labels":{"wave":"2"}}}'`);
    await terminal.run(
      `kubectl patch pod redis-dev --type=json -p '[{"op":"remove","path":"/metadata/annotations/note"}]'`,
    );
    await terminal.run(
      `kubectl patch pod redis-dev --subresource=status -p '{"status":{"phase":"Running"}}'`,
    );
    const path =
      '{.metadata.labels.wave} {.metadata.annotations.note} {.spec.containers[*].image} {.status.phase}';
    expect(await terminal.run(`kubectl get pod redis-dev -o jsonpath='${path}'`)).toBe('2  redis:9 Running');
    expect(
      await terminal.run(`kubectl wait pod/redis-dev --for=jsonpath='{.status.phase}'=Running --timeout=20s`),
    ).toContain('met');
  });

  it('watches selected pods', async () => {
    const watch = terminal.start('kubectl get pods -w --output-watch-events -l tier=frontend');
    await watch.table(4);
    await terminal.run('kubectl label pod label-demo tier=frontend');
    await terminal.run('kubectl label pod label-demo tier-');
    const rows = await watch.table(6);
    expect(rows.slice(4).map(([event, name]) => `${event} ${name}`)).toEqual([
      'ADDED label-demo',
      'DELETED label-demo',
    ]);
    watch.end();
  });

  it('creates a Subscription that gets synced', async () => {
    await terminal.run('kubectl apply -f fixtures/subscription.yaml');
    await terminal.run(
      `kubectl wait subscription/frontends --for=jsonpath='{.status.phase}'=Synced --timeout=40s`,
    );
    expect(await terminal.run('kubectl get subscriptions')).toMatch(/^frontends .* Synced /m);
    expect(await terminal.run('kubectl delete subscription frontends')).toContain('deleted');
  });

  it('deletes pods and the namespace', async () => {
    expect(await terminal.lines('kubectl delete pods -l tier=frontend')).toHaveLength(3);
    expect(await terminal.lines('kubectl delete pods --all')).toHaveLength(6);
    expect(await terminal.run(`kubectl delete namespace ${namespace}`)).toContain('deleted');
    expect(await terminal.refused(`kubectl get namespace ${namespace}`)).toContain('not found');
  });
});
