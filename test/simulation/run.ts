import { TABLE } from '../../lib/platform/index.ts';
import { slotsKey } from '../../lib/store/keys.ts';
import { AccessRecord } from './access/access-record.ts';
import { Cluster } from './actors/cluster.ts';
import { askForNothing } from './actors/filling.ts';
import { Informer } from './actors/informer.ts';
import { keepListing } from './actors/lister.ts';
import { liveInNamespaces } from './actors/namespaces.ts';
import { Ownership, own } from './actors/owners.ts';
import { PODS } from './actors/pods.ts';
import { relabelNamespaces } from './actors/relabel-namespaces.ts';
import { dispatchBeside } from './actors/rogue.ts';
import { Subscriber } from './actors/subscriber.ts';
import { withDigests, withSecrets } from './actors/targets.ts';
import { finalPods, headOf } from './actors/truth.ts';
import { write } from './actors/writer.ts';
import { AuthorRecord } from './authors/author-record.ts';
import type { Violation } from './checks/index.ts';
import { ClaimRecord } from './claims/claim-record.ts';
import type { History } from './history.ts';
import { KindRecord } from './kinds/kind-record.ts';
import { PastRecord } from './pasts/past-record.ts';
import { liveWithProofs } from './proofs/live-with-proofs.ts';
import { ProofRecord } from './proofs/proof-record.ts';
import { Recorder } from './recorder.ts';
import { RULINGS } from './rules/rulings.ts';
import { StepRecord } from './rules/step-record.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { SelectionRecord } from './selections/selection-record.ts';
import { TenantRecord } from './tenants/tenant-record.ts';
import { CALM } from './world/faults.ts';
import { World } from './world/world.ts';

export interface RunOptions {
  readonly seed: number;
  readonly scenario: Scenario;
  readonly trace?: ((at: number, line: string) => void) | undefined;
  /** Called when everything that a run needs is loaded, and before anything happens. */
  readonly begins?: (() => void) | undefined;
}

/** The record of a run, and the world at its end. */
export interface Ran {
  readonly history: History;
  readonly world: World;
  readonly ownership: Ownership;
  readonly kinds: KindRecord;
  readonly claims: ClaimRecord;
  readonly selections: SelectionRecord;
  readonly access: AccessRecord;
  readonly tenancy: TenantRecord;
  readonly authorship: AuthorRecord;
  readonly proofs: ProofRecord;
  readonly pasts: PastRecord;
  /** The policies, and the writes that they decided. */
  readonly rules: AccessRecord;
  readonly steps: StepRecord;
  /** Violations of the rule that no writer counts as dead too early. */
  readonly filled: readonly Violation[];
}

/** Runs one simulation. The same seed and scenario give the same history. */
export async function run({ seed, scenario, trace, begins }: RunOptions): Promise<Ran> {
  const kinds = new KindRecord();
  const claims = new ClaimRecord();
  const selections = new SelectionRecord();
  const access = new AccessRecord();
  const tenancy = new TenantRecord(scenario.tenants ?? 0);
  const authorship = new AuthorRecord(scenario.authors ?? 0);
  const proofs = new ProofRecord();
  const pasts = new PastRecord();
  const rules = new AccessRecord(RULINGS);
  const steps = new StepRecord();
  const live = scenario.kindUsers === 0 ? undefined : await readyKinds();
  const claiming = scenario.claimants === 0 ? undefined : await readyClaims();
  const selecting = scenario.selectors === 0 ? undefined : await readySelections();
  const deriving = await readyDeriving(scenario);
  const placing = scenario.binders === 0 ? undefined : await readyPlacements();
  const counting = scenario.tallies === undefined ? undefined : await readyTallies();
  const deciding = scenario.administrators === undefined ? undefined : await readyAccess();
  const ruling = scenario.rulers === undefined ? undefined : await readyRules();
  const stepping = scenario.steppers === undefined ? undefined : await readySteps();
  const letting = scenario.tenants === undefined ? undefined : await readyTenants(scenario);
  const authoring = scenario.authors === undefined ? undefined : await readyAuthors();
  const remembering = scenario.historians === undefined ? undefined : await readyPasts();
  if (scenario.bodies !== undefined || scenario.mostRowBytes !== undefined) await readyChunks();
  await readyLists();
  begins?.();
  const world = new World({ ...scenario, seed, trace });
  if (scenario.takenSlots === true) takeSlots(world);
  deriving?.endRounds(world);
  const recorder = new Recorder();
  const cluster = new Cluster(world, recorder, {
    served: [live, claiming, deriving, counting, letting, authoring].find((one) => one?.served)?.served,
    deriving: deriving?.deriving,
    scenario,
  });
  const errors: unknown[] = [];
  const start = (work: Promise<void>) => void work.catch((error) => errors.push(error));

  for (const client of named('writer', scenario.writers)) start(write(cluster, client, scenario));
  for (const client of named('lister', scenario.listers)) start(keepListing(cluster, client, scenario));
  const informers = named('informer', scenario.informers).map(
    (name) => new Informer(cluster, name, scenario),
  );
  for (const informer of informers) start(informer.run());
  start(askForNothing(cluster, scenario));

  if (scenario.tickEvery !== undefined) cluster.connect(scenario.tickEvery);
  if (scenario.relabels > 0) start(relabelNamespaces(cluster, scenario));
  if (scenario.deletedNamespaces.length > 0) start(liveInNamespaces(cluster, scenario));
  const ownership = new Ownership();
  for (const _ of named('owner', scenario.owners)) start(own(cluster, ownership, scenario));
  for (const life of live?.liveWithKinds(cluster, kinds, scenario) ?? []) start(life);
  for (const life of claiming?.liveWithClaims(cluster, claims, scenario) ?? []) start(life);
  for (const life of selecting?.liveWithSelections(cluster, selections, scenario) ?? []) start(life);
  for (const life of deriving?.live(cluster, scenario) ?? []) start(life);
  for (const life of placing?.liveWithPlacements(cluster, scenario) ?? []) start(life);
  for (const life of counting?.liveWithTallies(cluster, scenario) ?? []) start(life);
  for (const life of deciding?.liveWithAccess(cluster, access, scenario) ?? []) start(life);
  for (const life of ruling?.liveWithRules(cluster, rules, scenario) ?? []) start(life);
  for (const life of stepping?.liveWithSteps(cluster, steps, scenario) ?? []) start(life);
  const tenants = letting?.liveWithTenants(cluster, tenancy, scenario);
  for (const life of tenants?.lives ?? []) start(life);
  const authors = authoring?.liveWithAuthors(cluster, authorship, scenario);
  for (const life of authors?.lives ?? []) start(life);
  for (const life of remembering?.liveWithPasts(cluster, pasts, scenario) ?? []) start(life);
  for (const life of liveWithProofs(cluster, proofs, scenario)) start(life);
  for (const _ of named('rogue', scenario.rogueDispatchers)) start(dispatchBeside(cluster, scenario));
  const subscribers = named('subscriber', scenario.subscribers).map(
    (name) => new Subscriber(cluster, name, scenario),
  );
  for (const subscriber of subscribers) start(subscriber.run());

  await world.scheduler.run(scenario.lasts);
  world.faults = { ...CALM, skew: scenario.faults.skew };
  await world.scheduler.run(scenario.lasts + scenario.calm);
  recorder.watches.push(...informers.map((informer) => informer.end()));
  recorder.watches.push(...(tenants?.end() ?? []));
  authors?.end();
  recorder.subscriptions.push(...subscribers.map((subscriber) => subscriber.record()));
  if (errors.length > 0) throw errors[0];
  // In scenarios that bind or serve pods, or read their history, several actors write the same pods. Other checks verify these pods.
  const arePods = [placing, scenario.registrars, remembering].every((one) => one === undefined);
  const seen = { final: arePods ? finalPods(world) : [], finalHead: headOf(world, PODS) };
  const history = recorder.history({ seed, scenario: scenario.name, ...seen });
  return {
    history,
    world,
    ownership,
    kinds,
    claims,
    selections,
    access,
    tenancy,
    authorship,
    proofs,
    pasts,
    rules,
    steps,
    filled: cluster.filling?.violations() ?? [],
  };
}

/** Loads the API. Only scenarios that use the API load it. */
async function readyKinds() {
  const kinds = await import('./kinds/live-with-kinds.ts');
  await kinds.warmUp();
  return kinds;
}

/** LISTs load these once they have many values, alternatives or candidates. */
async function readyLists(): Promise<void> {
  await Promise.all([
    import('../../lib/store/list/density.ts'),
    import('../../lib/store/list/united-stream.ts'),
    import('../../lib/store/list/values-stream.ts'),
  ]);
}

async function readyChunks(): Promise<void> {
  await import('../../lib/store/chunks/index.ts');
}

async function readyPasts() {
  const pasts = await import('./pasts/live-with-pasts.ts');
  await pasts.warmUp();
  return pasts;
}

async function readyClaims() {
  const claims = await import('./claims/live-with-claims.ts');
  await claims.warmUp();
  return claims;
}

async function readyTallies() {
  const { liveWithTallies, warmUp } = await import('./tallies/live-with-tallies.ts');
  await warmUp();
  return { liveWithTallies, served: withDigests() };
}

async function readyAccess() {
  const access = await import('./access/live-with-access.ts');
  await access.warmUp();
  return access;
}

async function readyRules() {
  const rules = await import('./rules/live-with-rules.ts');
  await rules.warmUp();
  return rules;
}

async function readySteps() {
  const steps = await import('./rules/live-with-steps.ts');
  await steps.warmUp();
  return steps;
}

async function readyTenants(scenario: Scenario) {
  const { liveWithTenants, warmUp } = await import('./tenants/live-with-tenants.ts');
  await warmUp();
  const served = scenario.tellings === undefined ? undefined : (await readyTallies()).served;
  return { liveWithTenants, served };
}

async function readyAuthors() {
  const authors = await import('./authors/live-with-authors.ts');
  await authors.warmUp();
  const { warmUp: warmUpTallies } = await import('./tallies/live-with-tallies.ts');
  await warmUpTallies();
  return { ...authors, served: withSecrets() };
}

async function readySelections() {
  const selections = await import('./selections/live-with-selections.ts');
  await selections.warmUp();
  return selections;
}

async function readyDeriving({ workloads, registrars }: Scenario) {
  if (registrars !== undefined) {
    const { liveWithServices: live, warmUp, ...services } = await import('./deriving/live-with-services.ts');
    await warmUp();
    return { ...services, live };
  }
  if (workloads === undefined) return undefined;
  const { liveWithWorkloads: live, warmUp, ...sets } = await import('./deriving/live-with-workloads.ts');
  await warmUp();
  return { ...sets, live };
}

async function readyPlacements() {
  const placements = await import('./placements/live-with-placements.ts');
  await placements.warmUp();
  return placements;
}

function takeSlots(world: World): void {
  const keys = TABLE.slots.map((_, slot) => [`k${slot}`, `taken-${slot}`]);
  world.table.rows.set({ ...Object.fromEntries(keys), ...slotsKey(PODS) });
}

function named(role: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${role}${index}`);
}
