import { describe, expect, it } from '@jest/globals';
import { place, World } from '../../../lib/placement/index.ts';
import { HOSTNAME, node, pod } from './objects.ts';

describe('The world of nodes and pods', () => {
  it('The world counts a pod on a node that comes later, and no longer after the pod is deleted', () => {
    const world = new World();
    world.set(
      'Pod',
      pod('big', {
        requests: { cpu: '8' },
        spec: { ...pod('big', { requests: { cpu: '8' } }).spec, nodeName: 'a' },
      }),
    );
    world.set('Node', node('a'));
    const asked = pod('p', { requests: { cpu: '1' } });
    expect(place(asked, world).message).toBe('0/1 nodes are available: 1 Insufficient cpu.');
    world.delete('Node', { name: 'a' });
    expect(place(asked, world).message).toBe('no nodes available to schedule pods');
    world.set('Node', node('a'));
    expect(place(asked, world).message).toBe('0/1 nodes are available: 1 Insufficient cpu.');
    world.delete('Pod', { namespace: 'default', name: 'big' });
    expect(place(asked, world).feasible).toHaveLength(1);
  });

  it('The world counts no finished pod, and none without a node', () => {
    const world = new World();
    world.set('Node', node('a', { status: { allocatable: { cpu: '1', pods: '1' } } }));
    const asked = pod('p');
    for (const phase of ['Succeeded', 'Failed']) {
      world.set('Pod', pod('other', { spec: { nodeName: 'a' }, status: { phase } }));
      expect(place(asked, world).feasible).toHaveLength(1);
    }
    world.set('Pod', pod('other'));
    expect(place(asked, world).feasible).toHaveLength(1);
    world.set('Pod', pod('other', { spec: { nodeName: 'a' }, status: { phase: 'Running' } }));
    expect(place(asked, world).message).toBe('0/1 nodes are available: 1 Too many pods.');
  });

  it('The world keeps a port taken while one of two pods has it', () => {
    const world = new World();
    const ports = [{ hostPort: 80 }];
    const taking = (name: string, nodeName?: string) =>
      pod(name, { spec: { nodeName, containers: [{ name: 'main', ports }] } });
    world.set('Node', node('a'));
    world.set('Pod', taking('one', 'a'));
    world.set('Pod', taking('two', 'a'));
    world.delete('Pod', { namespace: 'default', name: 'one' });
    expect(place(taking('p'), world).message).toBe(
      "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.",
    );
    world.delete('Pod', { namespace: 'default', name: 'two' });
    expect(place(taking('p'), world).feasible).toHaveLength(1);
  });

  it('The world accepts deletions of unknown objects', () => {
    const world = new World();
    for (const kind of ['Node', 'Pod', 'Namespace', 'Service', 'ReplicaSet'] as const) {
      world.delete(kind, { namespace: 'default', name: 'a' });
    }
    expect(place(pod('p'), world).refused).toEqual([]);
  });

  it('The world has the right domains after many nodes have come and gone', () => {
    const world = new World();
    const constraint = {
      maxSkew: 1,
      topologyKey: HOSTNAME,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
    };
    const web = (name: string, nodeName?: string) =>
      pod(name, { labels: { app: 'web' }, spec: { nodeName, topologySpreadConstraints: [constraint] } });
    for (let turn = 0; turn < 300; turn++) {
      world.set('Node', node(`n${turn}`));
      world.set('Pod', web(`p${turn}`, `n${turn}`));
      world.delete('Node', { name: `n${turn - 3}` });
      world.delete('Pod', { namespace: 'default', name: `p${turn - 2}` });
      if (turn < 3) continue;
      // Of the last three nodes the oldest has lost its pod: the others would have one pod more than it.
      expect(place(web('asked'), world).feasible.map((one) => one.node)).toEqual([`n${turn - 2}`]);
    }
  });
});
