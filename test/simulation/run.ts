import { TABLE } from '../../lib/platform/index.ts';
import { slotsKey } from '../../lib/store/keys.ts';
import { Cluster } from './actors/cluster.ts';
import { Informer } from './actors/informer.ts';
import { keepListing } from './actors/lister.ts';
import { liveInNamespaces } from './actors/namespaces.ts';
import { Ownership, own } from './actors/owners.ts';
import { PODS } from './actors/pods.ts';
import { dispatchBeside } from './actors/rogue.ts';
import { Subscriber } from './actors/subscriber.ts';
import { finalPods, headOf } from './actors/truth.ts';
import { write } from './actors/writer.ts';
import type { History } from './history.ts';
import { KindRecord } from './kinds/kind-record.ts';
import { Recorder } from './recorder.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { CALM } from './world/faults.ts';
import { World } from './world/world.ts';

export interface RunOptions {
  readonly seed: number;
  readonly scenario: Scenario;
  readonly trace?: ((at: number, line: string) => void) | undefined;
}

/** What was done and seen, and the world as it was left. */
export interface Ran {
  readonly history: History;
  readonly world: World;
  readonly ownership: Ownership;
  readonly kinds: KindRecord;
}

/** One run: what its actors did and saw. The same seed and scenario give the same history. */
export async function run({ seed, scenario, trace }: RunOptions): Promise<Ran> {
  const kinds = new KindRecord();
  const live = scenario.kindUsers === 0 ? undefined : await readyKinds();
  const world = new World({ seed, faults: scenario.faults, trace });
  if (scenario.takenSlots === true) takeSlots(world);
  const recorder = new Recorder();
  const cluster = new Cluster(world, recorder, { served: live?.served, scenario });
  const errors: unknown[] = [];
  const start = (work: Promise<void>) => void work.catch((error) => errors.push(error));

  for (const client of named('writer', scenario.writers)) start(write(cluster, client, scenario));
  for (const client of named('lister', scenario.listers)) start(keepListing(cluster, client, scenario));
  const informers = named('informer', scenario.informers).map(
    (name) => new Informer(cluster, name, scenario),
  );
  for (const informer of informers) start(informer.run());

  if (scenario.tickEvery !== undefined) cluster.connect(scenario.tickEvery);
  if (scenario.deletedNamespaces.length > 0) start(liveInNamespaces(cluster, scenario));
  const ownership = new Ownership();
  for (const _ of named('owner', scenario.owners)) start(own(cluster, ownership, scenario));
  for (const life of live?.liveWithKinds(cluster, kinds, scenario) ?? []) start(life);
  for (const _ of named('rogue', scenario.rogueDispatchers)) start(dispatchBeside(cluster, scenario));
  const subscribers = named('subscriber', scenario.subscribers).map(
    (name) => new Subscriber(cluster, name, scenario),
  );
  for (const subscriber of subscribers) start(subscriber.run());

  await world.scheduler.run(scenario.lasts);
  world.faults = { ...CALM, skew: scenario.faults.skew };
  await world.scheduler.run(scenario.lasts + scenario.calm);
  recorder.watches.push(...informers.map((informer) => informer.end()));
  recorder.subscriptions.push(...subscribers.map((subscriber) => subscriber.record()));
  if (errors.length > 0) throw errors[0];
  const seen = { final: finalPods(world), finalHead: headOf(world, PODS) };
  const history = recorder.history({ seed, scenario: scenario.name, ...seen });
  return { history, world, ownership, kinds };
}

/** The API is loaded for those scenarios alone that have it. */
async function readyKinds() {
  const kinds = await import('./kinds/live-with-kinds.ts');
  await kinds.warmUp();
  return kinds;
}

function takeSlots(world: World): void {
  const keys = TABLE.slots.map((_, slot) => [`k${slot}`, `taken-${slot}`]);
  world.table.rows.set({ ...Object.fromEntries(keys), ...slotsKey(PODS) });
}

function named(role: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${role}${index}`);
}
