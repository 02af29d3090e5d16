import { TIMING } from '../../../lib/platform/index.ts';
import type { Mutation } from '../../../lib/store/index.ts';
import {
  type ChangesBackPage,
  type HistoryPage,
  type JournalChange,
  type ObjectState,
  parseNameKey,
} from '../../../lib/store/index.ts';
import type { Cluster } from '../actors/cluster.ts';
import { PODS, podOf } from '../actors/pods.ts';
import { eraOf, objectsOf, PLURALS } from '../kinds/definition.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { changeOf, type PastRecord } from './past-record.ts';

/** The most pages of one reading. */
const MOST_PAGES = 60;

/** Loads the code of history before a run. */
export async function warmUp(): Promise<void> {
  await import('../../../lib/store/history/index.ts');
}

/** Starts the writers of pods, and the clients that read the past of pods and of custom kinds. */
export function liveWithPasts(cluster: Cluster, record: PastRecord, scenario: Scenario): Promise<void>[] {
  record.follow(cluster.world);
  const { pastWriters = 0, historians = 0, kindUsers } = scenario;
  const read = kindUsers === 0 ? readPast : readKinds;
  return [
    ...Array.from({ length: pastWriters }, (_, at) =>
      write(cluster, record, { client: `writer${at}`, scenario }),
    ),
    ...Array.from({ length: historians }, () => read(cluster, record, scenario)),
  ];
}

interface Writer {
  readonly client: string;
  readonly scenario: Scenario;
}

/** Creates, changes and deletes pods; most changes are of the status. */
async function write(cluster: Cluster, record: PastRecord, { client, scenario }: Writer): Promise<void> {
  const { chance, scheduler } = cluster.world;
  for (let count = 0; count < scenario.writes; count += 1) {
    await scheduler.sleep(chance.within(scenario.pause));
    const object = pickObject(cluster, scenario);
    const what = chance.pick([
      'spec',
      'spec',
      'status',
      'status',
      'status',
      'status',
      'same',
      'delete',
    ] as const);
    const token = `${client}.${count}`;
    const ended = await cluster.write.invoke(TIMING.gateway, async ({ store, clock, random, hints }) => {
      const uid = random.uuid();
      const outcome = await store
        .within(clock.deadline(TIMING.request))
        .write(PODS, parseNameKey(object), (current) => mutationOf(current, { object, uid, token, what }));
      const { kind, after } = outcome;
      if (kind !== 'none' && after !== undefined) await hints.announce(PODS, after.rv);
      return outcome;
    });
    if (ended.how !== 'done' || ended.result.kind === 'none' || ended.result.after === undefined) continue;
    record.acknowledged.push({ object, rv: ended.result.after.rv, returned: cluster.now });
  }
}

interface Wanted {
  readonly object: string;
  readonly uid: string;
  readonly token: string;
  readonly what: 'spec' | 'status' | 'same' | 'delete';
}

function mutationOf(current: ObjectState | undefined, { object, uid, token, what }: Wanted): Mutation {
  if (current === undefined) {
    if (what === 'delete') return { kind: 'none' };
    return { kind: 'put', body: podOf({ object, uid }, { labels: {}, phase: 'Pending', token }) };
  }
  const { body } = current;
  switch (what) {
    case 'delete':
      return { kind: 'delete', body };
    case 'same':
      return { kind: 'put', body };
    case 'status':
      return { kind: 'put', body: { ...body, status: { phase: 'Running', token } } };
    case 'spec':
      return { kind: 'put', body: { ...body, spec: { token } } };
    default:
      return what satisfies never;
  }
}

function pickObject({ world: { chance } }: Cluster, { namespaces, names }: Scenario): string {
  return `${chance.pick(namespaces)}/p${chance.below(names)}`;
}

/** Reads the history of pods, one by one and all together, in pages from different processes. */
async function readPast(cluster: Cluster, record: PastRecord, scenario: Scenario): Promise<void> {
  const { chance, scheduler } = cluster.world;
  for (let count = 0; count < scenario.listings; count += 1) {
    await scheduler.sleep(chance.within(scenario.listPause));
    const invoked = cluster.now;
    const isWhole = chance.chance(0.3);
    const [all, isForged] = [isWhole || chance.chance(0.5), !isWhole && chance.chance(0.2)];
    const object = pickObject(cluster, scenario);
    const read = isWhole
      ? await pagesBack(cluster, scenario)
      : await pagesOf(cluster, {
          scenario,
          object,
          all,
          from: isForged ? forged(cluster, record) : undefined,
        });
    if (read === undefined) continue;
    const { changes, end } = read;
    const told = changes.map(changeOf);
    const about = isWhole ? {} : { object };
    record.readings.push({ ...about, all, isForged, invoked, returned: cluster.now, changes: told, end });
  }
}

/** The resourceVersion of any change: it may be of another object. */
function forged({ world: { chance } }: Cluster, { changes }: PastRecord): HistoryPage['next'] {
  return changes.length === 0 ? undefined : { rv: chance.pick(changes).rv };
}

interface Pages {
  readonly changes: readonly JournalChange[];
  readonly end: string;
}

interface OfObject {
  readonly scenario: Scenario;
  readonly object: string;
  readonly all: boolean;
  readonly from: HistoryPage['next'];
}

/** All pages of an object's history; undefined if a request failed. */
async function pagesOf(
  cluster: Cluster,
  { scenario, object, all, from }: OfObject,
): Promise<Pages | undefined> {
  const { chance, scheduler } = cluster.world;
  const name = parseNameKey(object);
  const pages: HistoryPage[] = [];
  while (pages.length < MOST_PAGES) {
    const next = pages.length === 0 ? from : pages.at(-1)?.next;
    const ended = await cluster.read.invoke(TIMING.gateway, ({ store, clock }) =>
      store
        .within(clock.deadline(TIMING.request))
        .historyOf(PODS, { name, all, limit: 1 + chance.below(5), from: next }),
    );
    if (ended.how !== 'done') return undefined;
    pages.push(ended.result);
    if (ended.result.end !== undefined) break;
    await scheduler.sleep(chance.within(scenario.pagePause));
  }
  return { changes: pages.flatMap(({ changes }) => changes), end: pages.at(-1)?.end ?? 'none' };
}

/** All pages of the changes of pods; undefined if a request failed. */
async function pagesBack(cluster: Cluster, scenario: Scenario): Promise<Pages | undefined> {
  const { chance, scheduler } = cluster.world;
  const pages: ChangesBackPage[] = [];
  while (pages.length < MOST_PAGES) {
    const request = { upTo: pages.at(-1)?.next, entries: 1 + chance.below(20), bytes: 50_000 };
    const ended = await cluster.read.invoke(TIMING.gateway, ({ store, clock }) =>
      store.within(clock.deadline(TIMING.request)).changesBack(PODS, request),
    );
    if (ended.how !== 'done') return undefined;
    pages.push(ended.result);
    if (ended.result.end !== undefined) break;
    await scheduler.sleep(chance.within(scenario.pagePause));
  }
  return { changes: pages.flatMap(({ changes }) => changes), end: pages.at(-1)?.end ?? 'none' };
}

/** Reads the history of custom kinds, which are deleted and defined again. */
async function readKinds(cluster: Cluster, record: PastRecord, scenario: Scenario): Promise<void> {
  const { chance, scheduler } = cluster.world;
  for (let count = 0; count < scenario.listings; count += 1) {
    await scheduler.sleep(chance.within(scenario.listPause));
    const plural = chance.pick(PLURALS);
    const collection = objectsOf(plural);
    const invoked = cluster.now;
    const ended = await cluster.read.invoke(TIMING.gateway, async ({ store, clock }) => {
      const within = store.within(clock.deadline(TIMING.request));
      const { changes } = await within.changesBack(collection, { entries: 1_000, bytes: 1e9 });
      const name = changes.at(-1)?.name ?? parseNameKey(`default/p${chance.below(scenario.names)}`);
      const own = await within.historyOf(collection, { name, all: true, limit: 50 });
      return [...changes, ...own.changes];
    });
    if (ended.how !== 'done') continue;
    const eras = ended.result.flatMap(({ state }) => eraOf(state.body) ?? []);
    record.kindReadings.push({ plural, invoked, eras: [...new Set(eras)] });
  }
}
