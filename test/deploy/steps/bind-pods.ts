import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.ts';
import type { Step } from '../trial.ts';

const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'late' },
  status: {
    allocatable: { cpu: '4', memory: '8Gi', pods: '110' },
    conditions: [{ type: 'Ready', status: 'True' }],
  },
};
const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'waits' },
  spec: { schedulerName: 'winnow', containers: [{ name: 'main', image: 'nginx' }] },
};

/** More than a minute: the schedule finds what no message told. */
const PATIENCE = 120_000;

export const bindPods: Step = {
  name: 'pods are bound to nodes',
  run: async ({ deployment, options }) => {
    const { terminal } = deployment;
    await options.cdk.deploy(['logLevel=DEBUG', 'placement=true']);
    const [node, pod] = [join(options.directory, 'node.json'), join(options.directory, 'pod.json')];
    await writeFile(node, JSON.stringify(NODE));
    await writeFile(pod, JSON.stringify(POD));
    const read = (what: string) => terminal.run(`kubectl get pod waits -o jsonpath='{${what}}'`);
    await terminal.run(`kubectl apply -f ${pod}`);
    const why = '.status.conditions[?(@.type=="PodScheduled")].message';
    await eventually('the pod is told why it waits', async () => (await read(why)) !== '', PATIENCE);
    assert.equal(await read('.spec.nodeName'), '');
    await terminal.run(`kubectl create -f ${node}`);
    await terminal.run(`kubectl replace --subresource=status -f ${node}`);
    const began = Date.now();
    await eventually('the pod has the node', async () => (await read('.spec.nodeName')) === 'late', PATIENCE);
    const seconds = Math.round((Date.now() - began) / 1_000);
    await terminal.run('kubectl delete pod waits --grace-period=0 --force');
    await terminal.run('kubectl delete node late');
    return `a pod that waited has the node ${seconds} s after it came`;
  },
};
