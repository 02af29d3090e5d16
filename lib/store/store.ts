import { TIMING } from '../platform/index.ts';
import type { Store, StoreOptions } from './contract.ts';
import { readHead } from './head.ts';
import type { JournalChange, JournalEntry } from './journal.ts';
import { JournalTail } from './journal-tail.ts';
import { listObjects } from './list/index.ts';
import type { Collection } from './object.ts';
import { patientTable } from './patient-table.ts';
import { RelabelWindow } from './relabel-window.ts';
import { raiseWatermark, readWatermarks } from './watermarks.ts';
import { readObject, writeObject } from './write.ts';

/** What a process remembers of a collection. */
interface Cache {
  readonly tail: JournalTail;
  readonly window: RelabelWindow;
}

export function createStore(options: StoreOptions): Store {
  const { clock, logger, metrics } = options;
  const caches = new Map<Collection, Cache>();
  return openStore(options, (collection) => {
    const cache = caches.get(collection) ?? {
      tail: new JournalTail({ clock, logger, metrics, collection }),
      window: new RelabelWindow({ clock, collection }),
    };
    caches.set(collection, cache);
    return cache;
  });
}

/** Whose store it is: a request's. */
interface Owner {
  readonly deadline?: AbortSignal;
  readonly auditID?: string | undefined;
}

/** The store until its owner's deadline; without one each write has its own. */
function openStore(
  options: StoreOptions,
  cacheOf: (collection: Collection) => Cache,
  { deadline, auditID }: Owner = {},
): Store {
  const { clock, random, metrics } = options;
  const table = patientTable({ ...options, deadline });
  const writing = () =>
    deadline === undefined ? patientTable({ ...options, deadline: clock.deadline(TIMING.request) }) : table;
  return {
    within: (signal, by) => openStore(options, cacheOf, { deadline: signal, auditID: by }),
    get: (collection, name) => readObject(table, collection, name),
    write: (collection, name, change, { dryRun = false } = {}) =>
      writeObject({ table: writing(), clock, random, metrics, collection, name, dryRun, auditID }, change),
    list: (collection, request) => listObjects({ table, clock, collection, ...cacheOf(collection) }, request),
    head: (collection) => readHead(table, collection),
    changes: async (collection, after, upTo) => {
      const view = await cacheOf(collection).tail.cover(table, upTo, after);
      return changesOf(view.entries.filter(({ rv }) => rv > after && rv <= upTo));
    },
    nextChanges: async (collection, after, upTo) => {
      const entries = await cacheOf(collection).tail.next(table, after, upTo);
      return { upTo: entries.at(-1)?.rv ?? after, changes: changesOf(entries) };
    },
    watermarks: (collection) => readWatermarks(table, collection),
    raise: (collection, mark, value) => raiseWatermark(table, collection, mark, value),
  };
}

function changesOf(entries: readonly JournalEntry[]): JournalChange[] {
  return entries.filter((entry) => entry.kind === 'change');
}
