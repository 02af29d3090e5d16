import { join } from 'node:path';
import type { Collection } from '../../../lib/json/index.ts';
import { systemClock } from '../../../lib/platform/index.ts';
import { createStore, nameKey, type Store } from '../../../lib/store/index.ts';
import { createStrictLogger } from '../../support/store/store-fixture.ts';
import { importTable } from '../import-table.ts';
import type { ExportTable } from './export-table.ts';
import { labelsOf, nameOf, podOf } from './list-objects.ts';

/** Raise it whenever the objects or the rows change: an older seed is not used again. */
const GENERATION = 3;

export const COLLECTION: Collection = 'core/pods';
/** When the objects were relabelled last; all else is a day older. */
export const RELABELLED = Date.UTC(2026, 0, 2);
const CREATED = RELABELLED - 24 * 3_600_000;
/** How many changes of labels there are at that time, over all objects evenly. */
export const RELABELS = 15_000;

/**
 * A folder with a table of `objects` objects, made once. The rows are what the store itself writes: its own
 * transactions go into an export in DynamoDB's format, which the embedded database imports. What a table has
 * forgotten after a day is left out: the journal and the relabel entries of the creates, which are compacted.
 */
export function seededFolder(cache: string, objects: number): Promise<string> {
  const folder = join(cache, `list-${GENERATION}`, String(objects));
  return importTable(folder, (table) => exportRows(table, objects));
}

async function exportRows(table: ExportTable, objects: number): Promise<void> {
  const at = { now: CREATED };
  const clock = { ...systemClock, now: () => at.now };
  const random = { uuid: () => '', fraction: () => 0, suffix: () => '' };
  const store = createStore({ table, clock, random, logger: createStrictLogger() });
  const relabelled = relabelledObjects(objects);
  const later = new Set(relabelled);
  for (let index = 0; index < objects; index += 1) {
    await write(store, objects, index);
    table.forgetJournal();
    if (!later.has(index)) await table.settleLast();
  }
  const head = await store.head(COLLECTION);
  await store.raise(COLLECTION, 'settled', head);
  await store.raise(COLLECTION, 'compacted', head);
  at.now = RELABELLED;
  for (const [turn, index] of relabelled.entries()) await write(store, objects, index, `t${turn}`);
}

/** Evenly over all objects; each several times where they are few. */
function relabelledObjects(objects: number): number[] {
  return Array.from({ length: RELABELS }, (_, turn) =>
    objects < RELABELS ? turn % objects : Math.floor((turn * objects) / RELABELS),
  );
}

async function write(store: Store, objects: number, index: number, turn?: string): Promise<void> {
  const labels = { ...labelsOf(index, objects), ...(turn !== undefined && { turn }) };
  const name = nameOf(index);
  await store.write(COLLECTION, name, () => ({ kind: 'put', body: podOf(name, nameKey(name), labels) }));
}
