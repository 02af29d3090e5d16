import { describe, expect, it } from '@jest/globals';
import {
  type Node,
  type Pod,
  place,
  type TopologySpreadConstraint,
  World,
} from '../../../lib/placement/index.ts';
import { node, pod, ZONE } from './objects.ts';

const web = { app: 'web' };
const running = (name: string, nodeName: string) => pod(name, { labels: web, spec: { nodeName } });

function asked(constraint: Partial<TopologySpreadConstraint>, spec: Pod['spec'] = {}): Pod {
  const hard = {
    maxSkew: 1,
    topologyKey: ZONE,
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: web },
  };
  return pod('asked', {
    labels: web,
    spec: { ...spec, topologySpreadConstraints: [{ ...hard, ...constraint }] },
  });
}

function feasibleNodes(
  pods: readonly Pod[],
  one: Pod,
  third: Partial<Parameters<typeof node>[1]> = {},
): string[] {
  const world = new World();
  const zone = (name: string, given: Parameters<typeof node>[1] = {}): Node =>
    node(name, { ...given, labels: { ...given.labels, [ZONE]: name } });
  world.set('Node', zone('a', { labels: { disk: 'ssd' } }));
  world.set('Node', zone('b', { labels: { disk: 'ssd' } }));
  world.set('Node', zone('c', third));
  for (const other of pods) world.set('Pod', other);
  return place(one, world)
    .feasible.map((found) => found.node)
    .sort();
}

const both = [running('one', 'a'), running('two', 'b')];

// The results are those of kube-scheduler 1.33.2.
describe('The domain with the fewest pods', () => {
  const tainted = { spec: { taints: [{ key: 'dedicated', effect: 'NoSchedule' }] } };

  it('A domain counts though its taints keep the pod off, unless the constraint honors them', () => {
    expect(feasibleNodes(both, asked({}), tainted)).toEqual([]);
    expect(feasibleNodes(both, asked({ nodeTaintsPolicy: 'Honor' }), tainted)).toEqual(['a', 'b']);
  });

  it('A domain does not count if the pod’s affinity excludes it, unless the constraint ignores that', () => {
    const nodeSelector = { disk: 'ssd' };
    expect(feasibleNodes(both, asked({}, { nodeSelector }))).toEqual(['a', 'b']);
    expect(feasibleNodes(both, asked({ nodeAffinityPolicy: 'Ignore' }, { nodeSelector }))).toEqual([]);
  });

  it('The smallest domain has no pods while there are fewer domains than minDomains', () => {
    const everywhere = [...both, running('three', 'c')];
    expect(feasibleNodes(everywhere, asked({ minDomains: 3 }))).toEqual(['a', 'b', 'c']);
    expect(feasibleNodes(everywhere, asked({ minDomains: 4 }))).toEqual([]);
  });

  it('A domain is no longer the smallest if a pod is nominated to it', () => {
    const promised = pod('promised', { labels: web, status: { nominatedNodeName: 'c' } });
    expect(feasibleNodes([...both, promised], asked({}))).toEqual(['c']);
    expect(feasibleNodes([promised], asked({}))).toEqual(['a', 'b']);
  });

  it('The smallest domain differs for each value of matchLabelKeys', () => {
    const old = pod('old', { labels: { ...web, version: '1' }, spec: { nodeName: 'a' } });
    const matchLabelKeys = ['version'];
    expect(feasibleNodes([old], asked({ matchLabelKeys }))).toEqual(['b', 'c']);
    const fresh = asked({ matchLabelKeys });
    const labels = { ...web, version: '2' };
    expect(feasibleNodes([old], { ...fresh, metadata: { ...fresh.metadata, labels } })).toEqual([
      'a',
      'b',
      'c',
    ]);
  });
});
