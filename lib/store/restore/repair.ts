import type { JsonObject } from '../../json/index.ts';
import { type Collection, metadataOf } from '../../json/index.ts';
import { type Clock, mapBounded, TIMING } from '../../platform/index.ts';
import { parseEntry } from '../journal.ts';
import {
  journalKey,
  nameKey,
  objectKey,
  parseNameKey,
  parsePartition,
  postingKey,
  tombstoneKey,
} from '../keys.ts';
import { LabelSlots } from '../labels/index.ts';
import type { ObjectState } from '../object.ts';
import type { CarriedSelector } from '../postings/index.ts';
import { readHolders } from '../preconditions/index.ts';
import type { Row, Table } from '../table.ts';
import { parseObjectRow } from '../write.ts';
import { expectedRows, isSameRow, type StoredObject } from './expected-rows.ts';
import type { KindFacts } from './kind-facts.ts';
import { owedLooks } from './owed-looks.ts';
import { ReservedNames } from './reserved-names.ts';
import { keyOf, rowsByKey, textOf } from './rows-by-key.ts';
import type { TableScan } from './scan-table.ts';
import { isStray, strayTarget } from './stray-rows.ts';
import { type YoungObject, youngEntries } from './young-entries.ts';

/** An object to write again, at a new resourceVersion, so that all of its rows are put again. */
export interface ObjectToWrite {
  readonly collection: Collection;
  readonly name: ObjectState['name'];
  /** The object's body; undefined if it must be deleted. */
  readonly body: JsonObject | undefined;
  readonly reserves: readonly string[];
  readonly selects: readonly CarriedSelector[];
  readonly expires: number | undefined;
  /** The current state, as the write must see it; undefined if the object has no row. */
  readonly known: ObjectState | undefined;
  /** The state according to the object's newest journal entry, which the write repeats. */
  readonly repeats: ObjectState;
}

export interface RepairOptions extends KindFacts {
  /** The table; no other process may use it. */
  readonly table: Table;
  readonly clock: Clock;
  readonly survey: TableScan;
  /** When the restore began, in ms since the epoch. */
  readonly began: number;
  /** Writes the object in one transaction. */
  rewrite(object: ObjectToWrite): Promise<void>;
  /** Called for each fault that was found and repaired. */
  found(what: 'rolled forward' | 'written again' | 'stray rows' | 'looks owed' | 'given to another'): void;
}

/** How long before the end of the copy a transaction may be incomplete, in ms. */
const TORN = 15 * 60_000;
const AT_ONCE = 4;
const A_BATCH = 100;

/** Repairs the rows of a copied table. Every step may be repeated. */
export class Repair {
  readonly #options: RepairOptions;
  readonly #slots = new Map<Collection, LabelSlots>();
  readonly #reserved: ReservedNames;
  #isReady: Promise<unknown> | undefined;

  constructor(options: RepairOptions) {
    this.#options = options;
    this.#reserved = new ReservedNames(options.table);
  }

  /**
   * Brings the objects of a collection to the state of the newest journal entries, if their own rows are older. The
   * journal row decides a write, and the write may have been acknowledged.
   */
  async rollForward(collection: Collection): Promise<void> {
    await this.#ready();
    const { table, survey } = this.#options;
    const entries = await youngEntries(table, collection, {
      after: survey.compacted[collection] ?? 0,
      upTo: survey.highest[collection] ?? 0,
      since: survey.newest - TORN,
    });
    const names = [...entries.keys()];
    for (let at = 0; at < names.length; at += A_BATCH) {
      const batch = names.slice(at, at + A_BATCH);
      const keys = batch.flatMap((name) => [objectKey(collection, name), tombstoneKey(collection, name)]);
      const rows = rowsByKey(await table.batchGet(keys));
      await mapBounded(batch, AT_ONCE, async (name) => {
        const row = rows.get(textOf(objectKey(collection, name)));
        const tombstone = rows.get(textOf(tombstoneKey(collection, name)));
        const { newest = 0, deleted } = entries.get(name) ?? {};
        await this.#mendTombstone({ collection, name, row }, tombstone, deleted);
        if (newest <= Number(row?.rv ?? tombstone?.rv ?? 0)) return;
        await this.#apply({ collection, name, row }, newest);
      });
    }
  }

  /**
   * Makes the tombstone name the newest delete that the journal has, so that the history of the name continues there. A
   * newer tombstone stays if there is no object: then the copy has the delete, but not its journal entry.
   */
  async #mendTombstone(
    { collection, name, row }: Place,
    tombstone: Row | undefined,
    deleted: YoungObject['deleted'],
  ): Promise<void> {
    const rv = Number(tombstone?.rv ?? 0);
    if (deleted === undefined || rv === deleted.rv || (row === undefined && rv > deleted.rv)) return;
    await this.#options.table.put({ ...tombstoneKey(collection, name), ...deleted });
  }

  /** Repairs rows, and deletes those that belong to no object. */
  async repairRows(rows: readonly Row[]): Promise<void> {
    await this.#ready();
    const objects = rows.filter(({ pk }) => parsePartition(pk).kind === 'object').map(storedObject);
    await this.#repairObjects(objects);
    await this.#removeStrays(rows);
  }

  #ready(): Promise<unknown> {
    const { survey } = this.#options;
    this.#isReady ??= mapBounded(survey.reserving, 1, (collection) => this.#reserved.learn(collection));
    return this.#isReady;
  }

  async #apply({ collection, name, row }: Place, rv: number): Promise<void> {
    const { table, found } = this.#options;
    const entryRow = await table.get(journalKey(collection, rv));
    const entry = entryRow && parseEntry(entryRow);
    if (entry?.kind !== 'change') return;
    const present = row && parseObjectRow(parseNameKey(name), row);
    if (entry.after === undefined && present === undefined) return;
    found('rolled forward');
    const mainRv = entry.changesMain ? entry.rv : entry.previousMain;
    const state = { ...entry.state, ...(mainRv > 0 && { mainRv }) };
    if (entry.after === undefined) return this.#remove(collection, present, state);
    const reserves = await this.#options.reservesOf(collection, state.body);
    await this.#write(collection, { ...state, reserved: reserves }, present);
  }

  async #remove(collection: Collection, known: ObjectState | undefined, repeats: ObjectState): Promise<void> {
    if (known === undefined) return;
    const gone = { body: undefined, reserves: [], selects: [], expires: undefined };
    await this.#options.rewrite({ collection, name: known.name, known, repeats, ...gone });
  }

  async #write(collection: Collection, state: ObjectState, present: ObjectState | undefined): Promise<void> {
    const { table, rewrite, selectsOf, expiryOf, found } = this.#options;
    const wanted = state.reserved ?? [];
    const reserves = this.#reserved.claim(wanted, state);
    await this.#reserved.free(reserves);
    // The write may choose other postings, so the present ones are deleted first. If the restore stops here, the next
    // run sees that they are missing.
    const parts = { collection, name: nameKey(state.name) };
    for (const { path, places } of present?.anchored ?? []) {
      for (const place of places) await table.delete(postingKey({ ...place, ...parts, path }));
    }
    if (reserves.length < wanted.length) found('given to another');
    const { name, body } = state;
    await rewrite({
      collection,
      name,
      body,
      reserves,
      selects: await selectsOf(collection, body),
      expires: expiryOf(collection, body),
      known: present && bare(present),
      repeats: state,
    });
  }

  async #repairObjects(objects: readonly StoredObject[]): Promise<void> {
    const { table, found } = this.#options;
    const checks = await mapBounded(objects, AT_ONCE, async (object) => {
      const { collection, state } = object;
      const places = await this.#slotsOf(collection).assign(table, Object.keys(state.labels));
      const selects = await this.#options.selectsOf(collection, state.body);
      return { object, expected: expectedRows(object, { places, selects }) };
    });
    const rows = rowsByKey(await table.batchGet(checks.flatMap(({ expected = [] }) => expected.map(keyOf))));
    await mapBounded(checks, AT_ONCE, async ({ object, expected }) => {
      const { collection, state } = object;
      const isWhole = expected?.every((row) => isSameRow(rows.get(textOf(row)), row)) ?? false;
      if (isWhole && (await this.#hasReserved(state))) {
        const looks = await owedLooks(object, this.#options);
        for (const look of looks) await table.put(look);
        for (const _ of looks) found('looks owed');
      } else {
        found('written again');
        await this.#write(collection, state, state);
      }
    });
  }

  async #hasReserved({ reserved = [], uid, rv }: ObjectState): Promise<boolean> {
    const { table } = this.#options;
    if (reserved.length === 0) return true;
    const kept = this.#reserved.claim(reserved, { uid, rv });
    const holders = await readHolders(table, reserved);
    return kept.length === reserved.length && reserved.every((name) => holders.get(name) === uid);
  }

  async #removeStrays(rows: readonly Row[]): Promise<void> {
    const { table, clock, found } = this.#options;
    // Older relabel entries are never read.
    const since = clock.now() - TIMING.relabelWindow - TIMING.skew;
    const targets = rows.flatMap((row) => {
      const target = strayTarget(row, since);
      return target === undefined ? [] : [{ row, target }];
    });
    const keys = new Map(
      targets.map(({ target: { collection, name } }) => {
        const key = objectKey(collection, name);
        return [textOf(key), key];
      }),
    );
    const objects = rowsByKey(await table.batchGet([...keys.values()]));
    await mapBounded(targets, AT_ONCE, async ({ row, target: { collection, name } }) => {
      const object = objects.get(textOf(objectKey(collection, name)));
      const stored = object && storedObject(object);
      const places = await this.#slotsOf(collection).assign(table, Object.keys(stored?.state.labels ?? {}));
      if (!isStray(row, stored, places)) return;
      found('stray rows');
      await table.delete(keyOf(row));
    });
    for (const row of rows) {
      const { kind, of, rest } = parsePartition(row.pk);
      if (kind !== 'reservation' || this.#reserved.isTrue(row, `${of}#${rest}`)) continue;
      found('stray rows');
      await table.delete(keyOf(row));
    }
  }

  #slotsOf(collection: Collection): LabelSlots {
    const slots = this.#slots.get(collection) ?? new LabelSlots(collection);
    this.#slots.set(collection, slots);
    return slots;
  }
}

interface Place {
  readonly collection: Collection;
  /** As `nameKey` spells it. */
  readonly name: string;
  readonly row: Row | undefined;
}

/**
 * The object without the parts that have rows of their own: a write that starts from this state puts all these rows.
 */
function bare({ name, rv, uid, body }: ObjectState): ObjectState {
  const { labels: _, ownerReferences: __, finalizers: ___, ...metadata } = metadataOf(body);
  return { name, rv, uid, labels: {}, body: { ...body, metadata } };
}

function storedObject(row: Row): StoredObject {
  const collection = parsePartition(row.pk).of as Collection;
  return { collection, row, state: parseObjectRow(parseNameKey(row.sk), row) };
}
