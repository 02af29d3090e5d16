import type { Collection } from '../json/index.ts';
import { MEMORY, TIMING } from '../platform/index.ts';
import { everything } from '../selectors/index.ts';
import { createWriteMark, type WriteMark } from './activity/index.ts';
import type { ChangeRange, PrefetchRequest, Store, StoreOptions } from './contract.ts';
import { declareCollection } from './declared-collections.ts';
import { eachPage } from './each-page.ts';
import { readHead } from './head.ts';
import type { JournalChange, JournalEntry } from './journal.ts';
import { JournalTail } from './journal-tail.ts';
import { accessKey } from './keys.ts';
import { LabelSlots } from './labels/index.ts';
import { listObjects, loadLabels } from './list/index.ts';
import type { ObjectState } from './object.ts';
import type { Origin } from './origin.ts';
import {
  readAccessVersions,
  readHolders,
  readQuotaVersion,
  ruleVersions,
  versionsIn,
} from './preconditions/index.ts';
import { readTogether } from './prefetch.ts';
import { RelabelWindow } from './relabel-window.ts';
import { readSchema, writtenAt } from './schema/index.ts';
import { noteSeen, readSeen } from './seen/index.ts';
import { SnapshotCache } from './snapshot-cache.ts';
import type { Table } from './table.ts';
import { besideTable, retryingTable } from './tables/index.ts';
import { raiseWatermark, readWatermarks } from './watermarks.ts';
import { readObject, writeObject } from './write.ts';

/** The caches of one collection in a process. */
interface Cache {
  readonly tail: JournalTail;
  readonly window: RelabelWindow;
  readonly slots: LabelSlots;
  readonly snapshot: SnapshotCache<ObjectState>;
}

export function createStore(options: StoreOptions): Store {
  const { clock, logger, metrics, filler } = options;
  const caches = new Map<Collection, Cache>();
  return openStore({ ...options, mark: createWriteMark(clock) }, (collection) => {
    const cache = caches.get(collection) ?? {
      tail: new JournalTail({ clock, logger, metrics, collection, filler }),
      window: new RelabelWindow({ clock, collection }),
      slots: new LabelSlots(collection),
      snapshot: new SnapshotCache({ keep: (state) => state }),
    };
    caches.set(collection, cache);
    return cache;
  });
}

interface OpenOptions extends StoreOptions {
  readonly mark: WriteMark;
}

/** The request that a store serves. */
interface Owner {
  readonly deadline?: AbortSignal;
  readonly origin?: Origin | undefined;
  /** Whether the first read also reads the access row. */
  readonly rules?: boolean | undefined;
}

/** A store whose operations end at its request's deadline. Without a deadline, each write has its own. */
function openStore(
  options: OpenOptions,
  cacheOf: (collection: Collection) => Cache,
  { deadline, origin, rules = false }: Owner = {},
): Store {
  const { clock, random, logger, metrics, filler, committed, mark } = options;
  const plain = retryingTable({ ...options, deadline });
  const beside = rules ? besideTable(plain, accessKey) : undefined;
  const table = beside ?? plain;
  const writing = () =>
    deadline === undefined ? retryingTable({ ...options, deadline: clock.deadline(TIMING.request) }) : table;
  const list: Store['list'] = (collection, request) =>
    listObjects({ table, clock, collection, ...cacheOf(collection) }, request);
  const snapshotOf = async (collection: Collection, head: number) => {
    const { tail, snapshot } = cacheOf(collection);
    const { objects } = await snapshot.upTo(head, {
      changes: async (after, upTo) => rangeOf(table, await tail.next(table, after, upTo), after),
      list: () => eachPage({ list }, collection, { selector: everything, mostHeap: MEMORY.page }),
    });
    return [collection, [...objects.values()]] as const;
  };
  const prefetch = async (request: PrefetchRequest) => {
    const { objects, heads } = await readTogether({ table, clock }, request);
    const snapshots = await Promise.all([...heads].map((head) => snapshotOf(...head)));
    return { objects, snapshots: new Map(snapshots) };
  };
  const past = (collection: Collection) => ({ table, clock, logger, metrics, filler, collection });
  return {
    within: (signal, by, more) => openStore(options, cacheOf, { deadline: signal, origin: by, ...more }),
    get: (collection, name) => readObject(table, collection, name),
    write: (collection, name, change, { dryRun = false, known, repeats } = {}) => {
      const { slots } = cacheOf(collection);
      const target = { collection, name, slots, known, dryRun, repeats };
      const { historyDays, mostRowBytes } = options;
      return writeObject(
        {
          table: writing(),
          clock,
          random,
          metrics,
          origin,
          historyDays,
          mostRowBytes,
          committed,
          mark,
          ...target,
        },
        change,
      );
    },
    list,
    visitLabels: async (collection, request, visit) => {
      const { visitLabels } = await loadLabels();
      return visitLabels({ table, clock, collection, ...cacheOf(collection) }, request, visit);
    },
    head: (collection) => readHead(table, collection),
    snapshot: async (collections) => (await prefetch({ objects: [], collections })).snapshots,
    prefetch,
    reservationHolders: (reservations) => readHolders(table, reservations),
    turn: (collection, namespace) => readQuotaVersion(table, collection, namespace),
    selecting: async (sought, asked) => {
      const now = clock.now();
      const { findCarriers } = await import('./postings/index.ts');
      return findCarriers(sought, { ...asked, table, now });
    },
    nextChanges: async (collection, after, upTo) =>
      rangeOf(table, await cacheOf(collection).tail.next(table, after, upTo), after),
    decidedChanges: async (collection, after, upTo) =>
      rangeOf(table, await cacheOf(collection).tail.decided(table, after, upTo), after),
    arrived: (collection, ...asked) => cacheOf(collection).tail.arrived(table, ...asked),
    accessVersions: () => readAccessVersions(table),
    ruleVersions: async (versions) => {
      const row = async () => (beside === undefined ? plain.get(accessKey) : beside.beside());
      return ruleVersions(plain, versions ?? versionsIn(await row(), plain));
    },
    schema: async () => writtenAt(await readSchema(table), clock.now()),
    lastSeen: (users) => readSeen(table, users),
    noteSeen: (sighting) => noteSeen(table, sighting),
    historyOf: async (collection, request) => (await loadHistory()).historyOf(past(collection), request),
    changesBack: async (collection, request) => (await loadHistory()).changesBack(past(collection), request),
    versionAt: async (collection, time) => (await loadHistory()).versionAt(past(collection), time),
    watermarks: (collection) => readWatermarks(table, collection),
    declare: (declared) => declareCollection(writing(), declared),
    raise: (collection, mark, value) => raiseWatermark(table, collection, mark, value),
  };
}

/** Only requests for history load this code. */
const loadHistory = () => import('./history/index.ts');

/**
 * The changes of decided entries, with their states in memory. Bodies in chunk rows are read for a page at a time, so the
 * range may end before the entries do.
 */
async function rangeOf(table: Table, entries: readonly JournalEntry[], after: number): Promise<ChangeRange> {
  const changes: JournalChange[] = [];
  let heap = 0;
  for (const entry of entries) {
    if (entry.kind !== 'change') continue;
    if (entry.isApart) {
      heap += entry.heap;
      if (heap > MEMORY.page && changes.length > 0) return { upTo: entry.rv - 1, changes };
    }
    changes.push(entry.isApart ? await entry.whole(table) : entry);
  }
  return { upTo: entries.at(-1)?.rv ?? after, changes };
}
