import { describe, expect, it, jest } from '@jest/globals';
import { WaitingPods } from '../../../../lib/controllers/binding/waiting-pods.ts';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { type Pod, place, World, type WorldKinds } from '../../../../lib/placement/index.ts';
import type { WorldChange } from '../../../../lib/server/index.ts';
import { type ObjectState, stateOf } from '../../../../lib/store/index.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';
import { seeded } from '../../../support/watch/memory-world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A world, the waiting pods beside it, and all existing objects. */
function createWaiting() {
  const clock = new OwnedClock();
  const world = new World();
  const waiting = new WaitingPods({ clock, schedulerName: 'winnow' });
  const objects = new Map<string, ObjectState>();
  let rv = 0;
  const state = (kind: keyof WorldKinds, name: string, body: JsonObject): ObjectState => {
    rv += 1;
    const namespace = kind === 'Pod' ? 'default' : '';
    const metadata = { ...(body.metadata as JsonObject), name, namespace, uid: `${kind}/${name}` };
    return stateOf({ namespace, name }, rv, { ...body, metadata });
  };
  const apply = ({ kind, name, after }: WorldChange) => {
    if (after === undefined) {
      world.delete(kind, name);
    } else {
      world.set(kind, after.body as WorldKinds[typeof kind]);
    }
  };
  const change = (kind: keyof WorldKinds, name: string, body: JsonObject | undefined): WorldChange => {
    const key = `${kind}/${name}`;
    const before = objects.get(key);
    const after = body && state(kind, name, body);
    objects.delete(key);
    if (after !== undefined) objects.set(key, after);
    return { kind, name: { namespace: kind === 'Pod' ? 'default' : '', name }, before, after };
  };
  return {
    clock,
    waiting,
    world,
    objects,
    change,
    tell(kind: keyof WorldKinds, name: string, body: JsonObject | undefined) {
      const told = change(kind, name, body);
      apply(told);
      waiting.tell(told);
    },
    /** The names of the pods that are tried now; a pod without a fitting node is refused. */
    tries(): string[] {
      return waiting.ready().map((pod) => {
        const { feasible, refused } = place(pod.state.body as Pod, world);
        if (feasible.length === 0) waiting.refuse(pod, new Set(refused.map(({ rule }) => rule)));
        return pod.state.name.name;
      });
    },
  };
}

const mine = (spec: JsonObject = {}, labels: JsonObject = {}): JsonObject => ({
  metadata: { labels },
  spec: { schedulerName: 'winnow', ...spec },
});
const node = (labels: JsonObject = {}, spec: JsonObject = {}, cpu = '1'): JsonObject => ({
  metadata: { labels },
  spec,
  status: { allocatable: { cpu, pods: '10' } },
});
const requests = (cpu: string): JsonObject => ({
  containers: [{ name: 'c', resources: { requests: { cpu } } }],
});

/** How many elements of maps and sets `work` iterates over. */
function countVisits(work: () => void): number {
  let visits = 0;
  const spies = [Map.prototype, Set.prototype].map((prototype) => {
    const values: () => IterableIterator<unknown> = prototype.values;
    return jest.spyOn(prototype, 'values').mockImplementation(function* (this: unknown) {
      for (const value of { [Symbol.iterator]: () => values.call(this) }) {
        visits += 1;
        yield value;
      }
    } as never);
  });
  work();
  for (const spy of spies) spy.mockRestore();
  return visits;
}

describe('A pod that found no node', () => {
  it('A waiting pod is tried again for changes that could help, but not before its pause is over', () => {
    const { clock, tell, tries } = createWaiting();
    tell('Node', 'a', node());
    tell('Pod', 'p', mine({ nodeSelector: { disk: 'ssd' } }));
    expect(tries()).toEqual(['p']);
    tell('Node', 'a', node({}, {}, '2'));
    clock.advance(MINUTE);
    expect(tries()).toEqual([]);
    tell('Node', 'a', node({ disk: 'hdd' }));
    expect(tries()).toEqual(['p']);
    tell('Node', 'b', node());
    expect(tries()).toEqual([]);
    clock.advance(2 * SECOND);
    expect(tries()).toEqual(['p']);
    for (const [index, pause] of [4, 8, 10, 10].entries()) {
      tell('Pod', 'p', mine({ nodeSelector: { disk: `ssd-${index}` } }));
      clock.advance(pause * SECOND - 1);
      expect(tries()).toEqual([]);
      clock.advance(1);
      expect(tries()).toEqual(['p']);
    }
  });

  it('A waiting pod is tried again after five minutes, whatever happens', () => {
    const { clock, tell, tries, waiting } = createWaiting();
    tell('Pod', 'p', mine());
    expect(tries()).toEqual(['p']);
    expect(waiting.nextTry()).toBeUndefined();
    expect(waiting.nextDue()).toBe(clock.now() + 5 * MINUTE);
    clock.advance(5 * MINUTE - 1);
    expect(tries()).toEqual([]);
    clock.advance(1);
    expect(tries()).toEqual(['p']);
  });

  it('A waiting pod ignores changes that this process wrote, and changes from before them', () => {
    const { change, objects, tell, tries, waiting } = createWaiting();
    tell('Pod', 'p', mine());
    tries();
    const relabelled = change('Pod', 'p', mine({}, { app: 'web' }));
    const before = objects.get('Pod/p');
    const written = change('Pod', 'p', { ...mine({}, { app: 'web' }), status: { conditions: [] } });
    if (before === undefined || written.after === undefined) throw new Error('there is no pod');
    waiting.wrote(before, written.after);
    const [pod] = waiting.ready();
    expect(pod).toBeUndefined();
    waiting.tell(relabelled);
    waiting.tell(written);
    tell('Node', 'a', node());
    expect([...tries(), waiting.size]).toEqual([1]);
  });

  it('A waiting pod is not examined for changes that cannot help it, however many pods wait', () => {
    const { change, waiting } = createWaiting();
    const MANY = 300;
    for (let number = 0; number < MANY; number += 1) waiting.tell(change('Pod', `p${number}`, mine()));
    for (const pod of waiting.ready()) waiting.refuse(pod, new Set(['NodeAffinity']));
    const looked = countVisits(() => {
      for (let number = 0; number < MANY; number += 1) {
        waiting.tell(change('Pod', `b${number}`, mine({ nodeName: 'a' })));
        waiting.tell(change('Pod', `b${number}`, undefined));
        waiting.tell(change('Pod', `q${number}`, mine()));
      }
    });
    expect(looked).toBeLessThan(10 * MANY);
  });

  it('A pod stops waiting when it is bound, gated, deleted, finished or belongs to another scheduler', () => {
    const { tell, tries, waiting } = createWaiting();
    const ends: JsonObject[] = [
      mine({ nodeName: 'a' }),
      mine({ schedulingGates: [{ name: 'g' }] }),
      { ...mine(), metadata: { deletionTimestamp: 'now' } },
      mine({ schedulerName: 'another' }),
      { ...mine(), status: { phase: 'Failed' } },
    ];
    for (const end of ends) {
      tell('Pod', 'p', mine());
      expect(tries()).toEqual(['p']);
      tell('Pod', 'p', end);
      expect(waiting.size).toBe(0);
    }
    tell('Pod', 'p', mine());
    tell('Pod', 'p', undefined);
    expect(waiting.size).toBe(0);
  });
});

describe('Waiting pods under random changes', () => {
  const WORLDS = 20;
  const CHANGES = 60;
  const ZONE = 'zone';
  const term = (app: string) => ({ labelSelector: { matchLabels: { app } }, topologyKey: ZONE });

  it('Every pod that has a fitting node by now is tried, and few pods are tried in vain', () => {
    const count = { spared: 0, helped: 0 };
    for (let seed = 1; seed <= WORLDS; seed += 1) {
      const random = seeded(seed);
      const pick = <Item>(items: readonly Item[]) =>
        items[Math.floor(random.fraction() * items.length)] as Item;
      const { clock, tell, tries, waiting, world } = createWaiting();
      const randomNode = () =>
        node(
          { [ZONE]: pick(['a', 'b']), disk: pick(['ssd', 'hdd']) },
          {
            unschedulable: pick([false, false, true]),
            taints: pick([[], [], [{ key: 't', effect: 'NoSchedule' }]]),
          },
          pick(['1', '2']),
        );
      const constraint = (app: string) => ({
        maxSkew: 1,
        topologyKey: ZONE,
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app } },
        nodeTaintsPolicy: pick(['Honor', 'Ignore']),
      });
      const randomPod = (nodeName: string): JsonObject => {
        const app = pick(['x', 'y']);
        const near = { requiredDuringSchedulingIgnoredDuringExecution: [term(pick(['x', 'y']))] };
        const parts: JsonObject[] = [
          requests(pick(['0', '1'])),
          nodeName === '' ? {} : { nodeName },
          pick([{}, { nodeSelector: { disk: 'ssd' } }] as JsonObject[]),
          pick([
            {},
            { affinity: { podAffinity: near } },
            { affinity: { podAntiAffinity: near } },
          ] as JsonObject[]),
          pick([{}, { topologySpreadConstraints: [constraint(app)] }] as JsonObject[]),
          pick([{}, { tolerations: [{ operator: 'Exists' }] }] as JsonObject[]),
          pick([{}, { containers: [{ name: 'c', ports: [{ hostPort: 80 }] }] }] as JsonObject[]),
        ];
        const spec: JsonObject = Object.assign({}, ...parts);
        return { ...mine(spec, { app }), status: { phase: pick(['Running', 'Running', 'Succeeded']) } };
      };
      for (const name of ['p1', 'p2', 'p3']) tell('Pod', name, { ...randomPod(''), status: {} });
      for (let step = 0; step < CHANGES; step += 1) {
        clock.advance(10 * SECOND);
        tries();
        const refused = [1, 2, 3].length - waiting.ready().length;
        pick([
          () => tell('Node', pick(['n1', 'n2', 'n3']), randomNode()),
          () => tell('Node', pick(['n1', 'n2', 'n3']), undefined),
          () => tell('Pod', pick(['b1', 'b2', 'b3', 'b4']), randomPod(pick(['n1', 'n2', 'n3']))),
          () => tell('Pod', pick(['b1', 'b2', 'b3', 'b4']), undefined),
          () => tell('Namespace', 'default', { metadata: { labels: { team: pick(['a', 'b']) } } }),
        ])();
        const ready = new Set(waiting.ready());
        count.helped += ready.size;
        count.spared += refused - ready.size;
        for (const pod of waiting.all()) {
          if (pod.refusedBy === undefined) continue;
          const { feasible } = place(pod.state.body as Pod, world);
          expect([seed, step, pod.state.name.name, feasible.map(({ node }) => node)]).toEqual([
            seed,
            step,
            pod.state.name.name,
            [],
          ]);
        }
      }
    }
    expect(Math.min(count.helped, count.spared)).toBeGreaterThan(300);
  });
});
