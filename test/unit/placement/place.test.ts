import { describe, expect, it } from '@jest/globals';
import { type Node, type Pod, place, World } from '../../../lib/placement/index.ts';
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

describe('what is said', () => {
  it('is that there is no node', () => {
    expect(place(pod('a'), new World())).toEqual({
      best: undefined,
      feasible: [],
      refused: [],
      message: 'no nodes available to schedule pods',
    });
  });

  it('is the best node, and all that would do in their order when they are asked for', () => {
    const world = worldWith([node('a'), node('b'), node('c')], [pod('other', { spec: { nodeName: 'b' } })]);
    const placement = place(pod('p'), world);
    world.delete('Node', { name: 'a' });
    expect(placement.best).toEqual(placement.feasible[0]);
    expect(placement.feasible.map((one) => one.node).sort()).toEqual(['a', 'b', 'c']);
    expect(placement.feasible).toBe(placement.feasible);
    expect(JSON.parse(JSON.stringify(placement))).toEqual({ ...placement });
  });

  it('counts the nodes of each reason, as the scheduler orders them', () => {
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

  it('is nothing where there is a node', () => {
    expect(place(pod('a'), worldWith([node('n')])).message).toBe('');
  });

  it('is that terms name no node together', () => {
    const name = (value: string) => ({ key: 'metadata.name', operator: 'In', values: [value] });
    const terms = [{ matchFields: [name('a'), name('b')] }];
    const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
    const asked = pod('p', { spec: { affinity: { nodeAffinity: required } } });
    const { message, refused } = place(asked, worldWith([node('a'), node('b')]));
    expect(message).toBe('0/2 nodes are available: pod affinity terms conflict.');
    expect(refused.map(({ rule }) => rule)).toEqual(['NodeAffinity', 'NodeAffinity']);
  });
});

describe('the order', () => {
  const nodes = Array.from({ length: 50 }, (_, index) => node(`n${index}`));

  it('of equal nodes is another for each pod, and always the same for one', () => {
    const first = (name: string, order = nodes) =>
      place(pod(name), worldWith(order)).feasible.map((one) => one.node);
    expect(first('a')).toEqual(first('a', nodes.toReversed()));
    const best = Array.from({ length: 50 }, (_, index) => first(`p${index}`)[0]);
    expect(new Set(best).size).toBeGreaterThan(20);
  });

  it('is that of the scores', () => {
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

describe('a pod', () => {
  it('may begin a group that asks for itself, and no more than begin it', () => {
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

  it('stays away from pods with anti-affinity to it', () => {
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

  it('stands back for one of its priority that a node was promised to, and not for a lesser one', () => {
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

  it('is refused with those that a node was promised to, before it is without them', () => {
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

  it('goes where it was promised to, if it still can', () => {
    const world = worldWith([node('a'), node('b')]);
    const promised = (name: string) => place(pod('p', { status: { nominatedNodeName: name } }), world);
    expect(promised('b').feasible.map((one) => one.node)).toEqual(['b']);
    expect(promised('b').refused).toEqual([]);
    expect(promised('gone').feasible).toHaveLength(2);
  });

  it('with a selector that is none is not placed', () => {
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

describe('amounts', () => {
  it('are exact beyond 2^53', () => {
    const huge = { cpu: '1', pods: '9', memory: '9007199254740993' };
    const world = worldWith([node('a', { status: { allocatable: huge } })]);
    const asked = (memory: string) => place(pod('p', { requests: { memory } }), world);
    expect(asked('9007199254740993').feasible).toHaveLength(1);
    expect(asked('9007199254740994').message).toBe('0/1 nodes are available: 1 Insufficient memory.');
  });

  it('are exact where a hundred times one is beyond', () => {
    // Half of an odd number of bytes is left: 49.999…, which a rounded product would make 50.
    const capacity = 2n ** 52n + 1n;
    const world = worldWith([
      node('a', { status: { allocatable: { cpu: '1', pods: '9', memory: `${capacity}` } } }),
    ]);
    const asked = pod('p', { requests: { cpu: '1', memory: `${2n ** 51n + 1n}` } });
    expect(place(asked, world).feasible[0]?.scores.NodeResourcesFit).toBe(24);
  });
});

describe('a profile', () => {
  const added = {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['own'] }] }],
    },
  };

  it('adds an affinity to each pod', () => {
    const world = new World({ addedAffinity: added });
    world.set('Node', node('a'));
    world.set('Node', node('b', { labels: { pool: 'own' } }));
    const { feasible, refused } = place(pod('p'), world);
    expect(feasible.map((one) => one.node)).toEqual(['b']);
    expect(refused[0]?.reasons).toEqual(["node(s) didn't match scheduler-enforced node affinity"]);
  });

  it('with a selector that is none is refused', () => {
    const terms = [{ matchExpressions: [{ key: 'pool', operator: 'Near' }] }];
    const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
    expect(() => new World({ addedAffinity: required })).toThrow(SelectorError);
  });
});
