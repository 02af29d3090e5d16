import { describe, expect, it } from '@jest/globals';
import { type Node, type Pod, type PodSpec, place, World } from '../../../lib/placement/index.ts';
import { SelectorError } from '../../../lib/selectors/index.ts';
import { HOSTNAME, node, pod, ZONE } from './objects.ts';

function worldWith(nodes: readonly Node[], pods: readonly Pod[] = []): World {
  const world = new World();
  for (const one of nodes) world.set('Node', one);
  for (const one of pods) world.set('Pod', one);
  return world;
}

const near = (labels: Record<string, string>, topologyKey = ZONE) => ({
  requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: labels } }],
});

describe('The result of a placement', () => {
  it('The result says that there is no node', () => {
    expect(place(pod('a'), new World())).toEqual({
      best: undefined,
      feasible: [],
      refused: [],
      message: 'no nodes available to schedule pods',
    });
  });

  it('The result has the best node, and all fitting nodes in order on request', () => {
    const world = worldWith([node('a'), node('b'), node('c')], [pod('other', { spec: { nodeName: 'b' } })]);
    const placement = place(pod('p'), world);
    world.delete('Node', { name: 'a' });
    expect(placement.best).toEqual(placement.feasible[0]);
    expect(placement.feasible.map((one) => one.node).sort()).toEqual(['a', 'b', 'c']);
    expect(placement.feasible).toBe(placement.feasible);
    expect(JSON.parse(JSON.stringify(placement))).toEqual({ ...placement });
  });

  it('The result counts the nodes per reason, in the order of the scheduler', () => {
    const tainted = (name: string) =>
      node(name, { spec: { taints: [{ key: 'gpu', effect: 'NoSchedule' }] } });
    const small = (name: string) =>
      node(name, { status: { allocatable: { cpu: '1', memory: '1Gi', pods: '0' } } });
    const world = worldWith([tainted('a'), tainted('b'), small('c')]);
    const { message, refused } = place(pod('p', { requests: { cpu: '2', memory: '1Gi' } }), world);
    expect(message).toBe(
      '0/3 nodes are available: 1 Insufficient cpu, 1 Too many pods, 2 node(s) had untolerated taint {gpu: }.',
    );
    expect(refused).toEqual([
      { node: 'a', rule: 'TaintToleration', reasons: ['node(s) had untolerated taint {gpu: }'] },
      { node: 'b', rule: 'TaintToleration', reasons: ['node(s) had untolerated taint {gpu: }'] },
      { node: 'c', rule: 'NodeResourcesFit', reasons: ['Too many pods', 'Insufficient cpu'] },
    ]);
  });

  it('The result has no reasons if a node fits', () => {
    expect(place(pod('a'), worldWith([node('n')])).message).toBe('');
  });

  it('The result says that the terms together match no node', () => {
    const name = (value: string) => ({ key: 'metadata.name', operator: 'In', values: [value] });
    const terms = [{ matchFields: [name('a'), name('b')] }];
    const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
    const asked = pod('p', { spec: { affinity: { nodeAffinity: required } } });
    const { message, refused } = place(asked, worldWith([node('a'), node('b')]));
    expect(message).toBe('0/2 nodes are available: pod affinity terms conflict.');
    expect(refused.map(({ rule }) => rule)).toEqual(['NodeAffinity', 'NodeAffinity']);
  });
});

describe('The order of nodes', () => {
  const nodes = Array.from({ length: 50 }, (_, index) => node(`n${index}`));

  it('The order of equal nodes differs by pod, and is always the same for one pod', () => {
    const first = (name: string, order = nodes) =>
      place(pod(name), worldWith(order)).feasible.map((one) => one.node);
    expect(first('a')).toEqual(first('a', nodes.toReversed()));
    const best = Array.from({ length: 50 }, (_, index) => first(`p${index}`)[0]);
    expect(new Set(best).size).toBeGreaterThan(20);
  });

  it('The order follows the scores', () => {
    const full = pod('full', { requests: { cpu: '6' }, spec: { nodeName: 'n7' } });
    const { feasible } = place(pod('a', { requests: { cpu: '1' } }), worldWith(nodes, [full]));
    expect(feasible.at(-1)).toEqual({
      node: 'n7',
      score: 411,
      scores: {
        TaintToleration: 300,
        NodeResourcesFit: 55,
        NodeResourcesBalancedAllocation: 56,
        ImageLocality: 0,
      },
    });
    for (const { score, scores } of feasible) {
      expect(score).toBe(Object.values(scores).reduce((sum, one) => sum + one, 0));
    }
  });
});

describe('The placement of a pod', () => {
  it('A pod may be the first of a group that requires itself, but only the first', () => {
    const zones = [node('a', { labels: { [ZONE]: 'x' } }), node('b', { labels: { [ZONE]: 'y' } })];
    const member = (name: string, nodeName?: string) =>
      pod(name, {
        labels: { app: 'web' },
        spec: { nodeName, affinity: { podAffinity: near({ app: 'web' }) } },
      });
    expect(place(member('one'), worldWith(zones)).feasible).toHaveLength(2);
    const { feasible, refused } = place(member('two'), worldWith(zones, [member('one', 'b')]));
    expect(feasible.map((one) => one.node)).toEqual(['b']);
    expect(refused).toEqual([
      { node: 'a', rule: 'InterPodAffinity', reasons: ["node(s) didn't match pod affinity rules"] },
    ]);
  });

  it('A pod avoids pods with anti-affinity to it', () => {
    const loner = pod('loner', {
      spec: { nodeName: 'a', affinity: { podAntiAffinity: near({ app: 'web' }, HOSTNAME) } },
    });
    const { refused } = place(
      pod('p', { labels: { app: 'web' } }),
      worldWith([node('a'), node('b')], [loner]),
    );
    expect(refused).toEqual([
      {
        node: 'a',
        rule: 'InterPodAffinity',
        reasons: ["node(s) didn't satisfy existing pods anti-affinity rules"],
      },
    ]);
  });

  it('A pod yields to a nominated pod of its priority, and not to one of lower priority', () => {
    const promised = pod('promised', {
      requests: { cpu: '8' },
      spec: { priority: 5, containers: [{ name: 'main', resources: { requests: { cpu: '8' } } }] },
      status: { nominatedNodeName: 'a' },
    });
    const world = worldWith([node('a')], [promised]);
    const asked = (priority: number) => pod('p', { spec: { priority, containers: big } });
    const big = [{ name: 'main', resources: { requests: { cpu: '1' } } }];
    expect(place(asked(5), world).message).toBe('0/1 nodes are available: 1 Insufficient cpu.');
    expect(place(asked(6), world).feasible).toHaveLength(1);
    expect(place(promised, world).feasible).toHaveLength(1);
  });

  it('A pod is refused together with nominated pods before it is tried without them', () => {
    const labels = { app: 'cache' };
    const promised = pod('promised', {
      labels,
      spec: { priority: 5 },
      status: { nominatedNodeName: 'a' },
    });
    const reasonOf = (affinity: object) => {
      const asked = pod('p', { spec: { priority: 5, affinity } });
      return place(asked, worldWith([node('a', { labels: { [ZONE]: 'z' } })], [promised])).refused[0]
        ?.reasons;
    };
    expect(reasonOf({ podAffinity: near(labels), podAntiAffinity: near(labels) })).toEqual([
      "node(s) didn't match pod anti-affinity rules",
    ]);
    expect(reasonOf({ podAffinity: near(labels) })).toEqual(["node(s) didn't match pod affinity rules"]);
    expect(reasonOf({ podAffinity: near(labels, 'rack'), podAntiAffinity: near(labels) })).toEqual([
      "node(s) didn't match pod affinity rules",
    ]);
  });

  it('A pod goes to its nominated node if it still fits', () => {
    const world = worldWith([node('a'), node('b')]);
    const promised = (name: string) => place(pod('p', { status: { nominatedNodeName: name } }), world);
    expect(promised('b').feasible.map((one) => one.node)).toEqual(['b']);
    expect(promised('b').refused).toEqual([]);
    expect(promised('gone').feasible).toHaveLength(2);
  });

  it('A pod with a malformed selector is not placed', () => {
    const spec = {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: ZONE,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: 1 },
        },
      ],
    };
    expect(() => place(pod('p', { spec }), worldWith([node('a')]))).toThrow(SelectorError);
  });
});

describe('The amounts of resources', () => {
  it('Amounts are exact beyond 2^53', () => {
    const huge = { cpu: '1', pods: '9', memory: '9007199254740993' };
    const world = worldWith([node('a', { status: { allocatable: huge } })]);
    const asked = (memory: string) => place(pod('p', { requests: { memory } }), world);
    expect(asked('9007199254740993').feasible).toHaveLength(1);
    expect(asked('9007199254740994').message).toBe('0/1 nodes are available: 1 Insufficient memory.');
  });

  it('Amounts are exact if a hundred times their value is beyond 2^53', () => {
    // Half of an odd number of bytes is left: 49.999…, which a rounded product would turn into 50.
    const capacity = 2n ** 52n + 1n;
    const world = worldWith([
      node('a', { status: { allocatable: { cpu: '1', pods: '9', memory: `${capacity}` } } }),
    ]);
    const asked = pod('p', { requests: { cpu: '1', memory: `${2n ** 51n + 1n}` } });
    expect(place(asked, world).feasible[0]?.scores.NodeResourcesFit).toBe(24);
  });
});

describe('A profile of the scheduler', () => {
  const added = {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['own'] }] }],
    },
  };

  const other = {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['other'] }] }],
    },
  };

  it('A profile adds an affinity to each pod', () => {
    const world = new World({ addedAffinity: added });
    world.set('Node', node('a'));
    world.set('Node', node('b', { labels: { pool: 'own' } }));
    const { feasible, refused } = place(pod('p'), world);
    expect(feasible.map((one) => one.node)).toEqual(['b']);
    expect(refused[0]?.reasons).toEqual(["node(s) didn't match scheduler-enforced node affinity"]);
  });

  it('A profile of a scheduler adds its affinity to the pods of that scheduler alone', () => {
    const world = new World({
      bySchedulerName: { foo: { addedAffinity: added }, 'default-scheduler': { addedAffinity: other } },
    });
    world.set('Node', node('a', { labels: { pool: 'other' } }));
    world.set('Node', node('b', { labels: { pool: 'own' } }));
    const nodesFor = (spec: PodSpec) => place({ ...pod('p'), spec }, world).feasible.map((one) => one.node);
    expect(nodesFor({ schedulerName: 'foo' })).toEqual(['b']);
    expect(nodesFor({})).toEqual(['a']);
    expect(nodesFor({ schedulerName: 'bar' }).sort()).toEqual(['a', 'b']);
  });

  it('A profile with a malformed selector is refused', () => {
    const terms = [{ matchExpressions: [{ key: 'pool', operator: 'Near' }] }];
    const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
    expect(() => new World({ addedAffinity: required })).toThrow(SelectorError);
  });
});
