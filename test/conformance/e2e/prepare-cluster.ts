import type { Terminal } from '../harness/terminal.ts';

const TIME = '2026-11-24T04:00:00Z';
const RESOURCES = { cpu: '32', memory: '256Gi', pods: '110', 'ephemeral-storage': '100Gi' };
/** The names of the nodes. */
export const NODES = ['node-1', 'node-2'];

/** Creates the Service of the API, which the suite expects. */
export async function createApiService(terminal: Terminal): Promise<void> {
  await terminal.run('kubectl create service clusterip kubernetes --tcp=443:6443');
}

/** Creates the nodes, and says in the place of kubelets that they are ready. */
export async function createNodes(terminal: Terminal): Promise<void> {
  for (const name of NODES) {
    const labels = {
      'kubernetes.io/hostname': name,
      'kubernetes.io/os': 'linux',
      'kubernetes.io/arch': 'amd64',
    };
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } };
    await terminal.run(`echo '${JSON.stringify(node)}' | kubectl create -f -`);
    const patch = JSON.stringify({ status: statusOf(name) });
    await terminal.run(`kubectl patch node ${name} --subresource=status --type=merge -p '${patch}'`);
  }
}

function statusOf(name: string): object {
  return {
    capacity: RESOURCES,
    allocatable: RESOURCES,
    addresses: [
      { type: 'InternalIP', address: '10.0.0.1' },
      { type: 'Hostname', address: name },
    ],
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        reason: 'KubeletReady',
        lastHeartbeatTime: TIME,
        lastTransitionTime: TIME,
      },
    ],
  };
}
