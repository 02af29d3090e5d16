import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

const TEMPLATE = '{metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: nginx}]}}';
const WORLD = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: ${TEMPLATE}}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web-1, labels: {app: web}}
spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: ${TEMPLATE}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template: {metadata: {labels: {app: agent}}, spec: {containers: [{name: agent, image: nginx}]}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 1
  serviceName: db
  selector: {matchLabels: {app: db}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: db, image: nginx}]}}
---
{apiVersion: v1, kind: Node, metadata: {name: n1}}
`;

const LATER = `
apiVersion: v1
kind: ReplicationController
metadata: {name: after}
spec:
  replicas: 0
  selector: {app: after}
  template: {metadata: {labels: {app: after}}, spec: {containers: [{name: after, image: nginx}]}}
`;

let cluster: Cluster;
let terminal: Terminal;

async function runPod(name: string, app: string, node?: string): Promise<void> {
  const spec = JSON.stringify({ spec: { nodeName: node } });
  await terminal.run(
    `kubectl run ${name} --image=nginx --labels=app=${app}${node ? ` --overrides='${spec}'` : ''}`,
  );
}

async function say(name: string, ready: 'True' | 'False'): Promise<void> {
  const conditions = [{ type: 'Ready', status: ready, lastTransitionTime: '2026-01-01T00:00:00Z' }];
  const patch = JSON.stringify({ status: { phase: 'Running', conditions } });
  await terminal.run(`kubectl patch pod ${name} --subresource=status --type=merge -p '${patch}'`);
}

beforeAll(async () => {
  cluster = await startCluster({ derived: ['status'] });
  terminal = cluster.terminal;
  await terminal.run(`echo '${WORLD}' | kubectl apply -f -`);
  for (const name of ['web-1-a', 'web-1-b']) await runPod(name, 'web');
  await runPod('agent-1', 'agent', 'n1');
  await runPod('db-0', 'db');
});

afterAll(() => cluster?.stop());

describe('Derived statuses', () => {
  it('Derived statuses complete kubectl rollout status and kubectl wait for every workload', async () => {
    for (const name of ['web-1-a', 'web-1-b', 'agent-1', 'db-0']) await say(name, 'True');
    for (const name of ['deployment/web', 'daemonset/agent', 'statefulset/db']) {
      expect(await terminal.run(`kubectl rollout status ${name} --timeout=60s`)).toMatch(
        /successfully rolled out|roll out complete/,
      );
    }
    expect(await terminal.run('kubectl wait --for=condition=Available deployment/web --timeout=60s')).toMatch(
      /condition met/,
    );
  });

  it('Derived statuses are in the columns of kubectl get', async () => {
    // A new node is not ready, and a DaemonSet does not tolerate that taint by itself.
    await terminal.run('kubectl taint node n1 node.kubernetes.io/not-ready:NoSchedule-');
    await terminal.run("kubectl wait daemonset/agent --for=jsonpath='{.status.numberReady}'=1 --timeout=60s");
    const rows = await terminal.lines('kubectl get deployments,replicasets,daemonsets --no-headers');
    expect(rows.map((row) => row.split(/\s+/).slice(0, 6).join(' '))).toEqual([
      expect.stringContaining('deployment.apps/web 2/2 2 2'),
      expect.stringContaining('replicaset.apps/web-1 2 2 2'),
      expect.stringContaining('daemonset.apps/agent 1 1 1 1 1'),
    ]);
  });

  it('Derived statuses follow a pod that is no longer ready, and one that gets another label', async () => {
    await say('web-1-a', 'False');
    const wait = 'kubectl wait --timeout=60s replicaset/web-1';
    expect(await terminal.run(`${wait} --for=jsonpath='{.status.readyReplicas}'=1`)).toMatch(/condition met/);
    await terminal.run('kubectl label pod web-1-b --overwrite app=other');
    expect(await terminal.run(`${wait} --for=jsonpath='{.status.replicas}'=1`)).toMatch(/condition met/);
    expect(
      await terminal.run("kubectl wait deployment/web --for=jsonpath='{.status.replicas}'=1 --timeout=60s"),
    ).toMatch(/condition met/);
  });

  it('A status that a client writes is no longer derived', async () => {
    await terminal.run(
      'kubectl patch replicaset web-1 --subresource=status --type=merge --field-manager=mine -p \'{"status":{"replicas":7}}\'',
    );
    await terminal.run('kubectl delete pod web-1-a --now');
    // Later objects are derived later. Once the status of this object is there, Winnow would have written the other
    // one.
    await terminal.run(`echo '${LATER}' | kubectl create -f -`);
    await terminal.run("kubectl wait rc/after --for=jsonpath='{.status.observedGeneration}'=1 --timeout=60s");
    expect(await terminal.run("kubectl get rs web-1 -o jsonpath='{.status.replicas}'")).toBe('7');
  });

  it('Statuses are not derived in a namespace that opts out', async () => {
    await terminal.run('kubectl create namespace own');
    await terminal.run('kubectl label namespace own winnow.dev/derived=none');
    await terminal.run(`echo '${WORLD}' | kubectl apply -n own -f -`);
    await terminal.run('kubectl scale rc/after --replicas=1');
    await terminal.run("kubectl wait rc/after --for=jsonpath='{.status.observedGeneration}'=2 --timeout=60s");
    expect(await terminal.run("kubectl get rs web-1 -n own -o jsonpath='{.status.observedGeneration}'")).toBe(
      '',
    );
    await terminal.run('kubectl label namespace own winnow.dev/derived-');
    expect(
      await terminal.run(
        "kubectl wait rs/web-1 -n own --for=jsonpath='{.status.observedGeneration}'=1 --timeout=60s",
      ),
    ).toMatch(/condition met/);
  });
});
