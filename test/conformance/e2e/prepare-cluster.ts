import type { Terminal } from '../harness/terminal.ts';

const TIME = '2026-11-24T04:00:00Z';
const RESOURCES = { cpu: '32', memory: '256Gi', pods: '110', 'ephemeral-storage': '100Gi' };
const NODES = ['node-1', 'node-2'];

/** Creates what the suite expects of a cluster and no kubelet makes: two ready nodes and the Service `kubernetes`. */
export async function prepareCluster(terminal: Terminal): Promise<void> {
  await terminal.run('kubectl create service clusterip kubernetes --tcp=443:6443');
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
