import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

const EXAMPLES = '../examples/placement';
const review = (spec: object) =>
  `'${JSON.stringify({ apiVersion: 'winnow.dev/v1', kind: 'PlacementReview', spec })}'`;

let cluster: Cluster;
let terminal: Terminal;

beforeAll(async () => {
  cluster = await startCluster();
  terminal = cluster.terminal;
  await terminal.run(`kubectl apply -f ${EXAMPLES}/nodes.yaml`);
  await terminal.run(`kubectl replace --subresource=status -f ${EXAMPLES}/nodes.yaml`);
});

afterAll(() => cluster?.stop());

describe('kubectl, with PlacementReviews', () => {
  it('creates a PlacementReview and prints its answer', async () => {
    const pod = { spec: { containers: [{ name: 'c', image: 'i' }], nodeSelector: { disktype: 'ssd' } } };
    const answer = await terminal.run(
      `echo ${review({ pod })} | kubectl create -f - -o jsonpath='{.status.assigned}'`,
    );
    expect(answer).toBe('["node-3"]');
    const rehearsed = `echo ${review({ pod })} | kubectl create --dry-run=server -f - -o jsonpath='{.status.refused[2].rule}'`;
    expect(await terminal.run(rehearsed)).toBe('TaintToleration');
  });

  it('names the wrong field, or the missing one', async () => {
    const wrong = await terminal.refused(`echo ${review({ pod: { spec: {} } })} | kubectl create -f -`);
    expect(wrong).toContain('spec.pod.spec.containers: Required value');
    // kubectl validates a kind without PATCH itself, by the OpenAPI documents.
    const misspelt = await terminal.refused(`echo ${review({ pods: 1 })} | kubectl create -f -`);
    expect(misspelt).toContain('unknown field "pods" in dev.winnow.v1.PlacementReview.spec');
    const unknown = await terminal.refused(
      `echo ${review({ pods: 1 })} | kubectl create --validate=false -f -`,
    );
    expect(unknown).toContain('spec: Required value: exactly one of pod, template and object');
  });

  it('finds PlacementReviews in discovery and explain', async () => {
    const listed = await terminal.run('kubectl api-resources --api-group=winnow.dev -o name');
    expect(listed.split('\n')).toContain('placementreviews.winnow.dev');
    expect(await terminal.run('kubectl explain placementreview.spec')).toContain('Number of pods to place');
    expect(await terminal.run('kubectl explain placementreview.status.refused')).toContain('The first rule');
  });

  it('binds a pod to a possible node, and drains it from there', async () => {
    const node = 'node-1';
    await terminal.run(`kubectl apply -f ${EXAMPLES}/with-node-affinity.yaml`);
    const binding = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'with-node-affinity' },
      target: { apiVersion: 'v1', kind: 'Node', name: node },
    });
    await terminal.run(`echo '${binding}' | kubectl create -f -`);
    expect(await terminal.run("kubectl get pod with-node-affinity -o jsonpath='{.spec.nodeName}'")).toBe(
      node,
    );
    await terminal.run(`kubectl drain ${node} --force --grace-period=0`);
    expect(await terminal.run('kubectl get pods -o name')).toBe('');
    const pod = { spec: { containers: [{ name: 'c', image: 'i' }], nodeName: node } };
    const answer = `echo ${review({ pod })} | kubectl create -f - -o jsonpath='{.status.refused[0].rule}'`;
    expect(await terminal.run(answer)).toBe('NodeUnschedulable');
  });
});
