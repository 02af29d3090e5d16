import type { JsonObject } from '../../json/index.ts';
import { type Collection, metadataOf } from '../../json/index.ts';
import { type Clock, HISTORY_DAYS, MEMORY, mapBounded, TIMING } from '../../platform/index.ts';
import { type ChunkTask, chunkTaskRow } from '../chunks/index.ts';
import { holeRow, lifetimeOf } from '../journal.ts';
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
import { isIncomplete, keptState, newestReadable, readableRow, stateWithoutBody } from './readable-bodies.ts';
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
  found(what: Repaired): void;
}

/** A fault that was found and repaired. An object that fell back has lost its newest state: the copy lacks its chunks. */
export type Repaired =
  | 'rolled forward'
  | 'fell back'
  | 'written again'
  | 'stray rows'
  | 'looks owed'
  | 'given to another';

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
      since: survey.newest - TIMING.torn,
    });
    const names = [...entries.keys()];
    for (let at = 0; at < names.length; at += A_BATCH) {
      const batch = names.slice(at, at + A_BATCH);
      const keys = batch.flatMap((name) => [objectKey(collection, name), tombstoneKey(collection, name)]);
      const rows = rowsByKey(await table.batchGet(keys));
      await mapBounded(batch, AT_ONCE, async (name) => {
        const row = rows.get(textOf(objectKey(collection, name)));
        const tombstone = rows.get(textOf(tombstoneKey(collection, name)));
        const { newest = 0, versions = [], apart = [], deleted } = entries.get(name) ?? {};
        const place = { collection, name, row };
        await this.#mendTombstone(place, tombstone, deleted);
        const whole = row && (await readableRow(table, row));
        const isWhole = row === undefined || whole !== undefined;
        if (newest > Number(row?.rv ?? tombstone?.rv ?? 0) || !isWhole) {
          await this.#apply(place, versions, whole);
        }
        await this.#dropIncomplete(collection, apart);
      });
    }
  }

  /** Puts holes in place of the entries whose bodies the copy lacks. Their objects have other states by now. */
  async #dropIncomplete(collection: Collection, versions: readonly number[]): Promise<void> {
    const { table, clock } = this.#options;
    for (const rv of versions) {
      const row = await table.get(journalKey(collection, rv));
      if (row === undefined || !(await isIncomplete(table, row))) continue;
      await table.put(holeRow(collection, rv, clock.now()));
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
    let objects: StoredObject[] = [];
    let heap = 0;
    for (const row of rows) {
      if (parsePartition(row.pk).kind !== 'object') continue;
      const whole = await readableRow(this.#options.table, row);
      if (whole === undefined) {
        await this.#fallBack(row);
        continue;
      }
      objects.push(storedObject(whole));
      heap += Number(row.heap ?? 0);
      if (heap < MEMORY.page) continue;
      await this.#repairObjects(objects);
      objects = [];
      heap = 0;
    }
    await this.#repairObjects(objects);
    await this.#removeStrays(rows);
    await this.#collectChunks(rows);
  }

  #ready(): Promise<unknown> {
    const { survey } = this.#options;
    this.#isReady ??= mapBounded(survey.reserving, 1, (collection) => this.#reserved.learn(collection));
    return this.#isReady;
  }

  /** Gives an object the newest state that the copy has whole, unless its own row has that. */
  async #apply({ collection, name, row }: Place, young: readonly number[], whole?: Row): Promise<void> {
    const { table, found } = this.#options;
    const versions = young.toSorted((left, right) => right - left);
    const target = await newestReadable(table, { collection, name, versions });
    const kept = row && whole === undefined ? await keptState(table, row) : undefined;
    if (target === undefined || target.state.rv < (kept?.rv ?? 0)) return;
    const { state, isDeleted } = target;
    if (isDeleted && row === undefined) return;
    if (whole !== undefined && Number(whole.rv) >= state.rv) return;
    found(state.rv === versions[0] ? 'rolled forward' : 'fell back');
    const present = row && (whole ? parseObjectRow(parseNameKey(name), whole) : stateWithoutBody(row));
    if (isDeleted) return this.#remove(collection, present, state);
    const reserves = await this.#options.reservesOf(collection, state.body);
    await this.#write(collection, { ...state, reserved: reserves }, present);
  }

  /** Gives an object whose chunks the copy lacks, and whose journal shows no state, the one that its row keeps. */
  async #fallBack(row: Row): Promise<void> {
    const { table, found } = this.#options;
    const { of } = parsePartition(row.pk);
    const collection = of as Collection;
    const kept = await keptState(table, row);
    const present = stateWithoutBody(row);
    found('fell back');
    if (kept === undefined) return this.#remove(collection, present, present);
    const reserves = await this.#options.reservesOf(collection, kept.body);
    await this.#write(collection, { ...kept, reserved: reserves }, present);
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
      const stored = object && { collection, row: object, state: stateWithoutBody(object) };
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

  /** Puts GC tasks for chunks that no object has: the copy may lack the tasks of their writes. */
  async #collectChunks(rows: readonly Row[]): Promise<void> {
    const { table, began, found } = this.#options;
    for (const row of rows) {
      const task = chunkTaskOf(row);
      if (task === undefined) continue;
      const object = await table.get(objectKey(task.collection, task.name));
      if (object?.chunks === task.chunks) continue;
      found('looks owed');
      await table.put(chunkTaskRow(task, began + lifetimeOf(task.collection, HISTORY_DAYS.most)));
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
function bare({ name, rv, uid, body, apart }: ObjectState): ObjectState {
  const { labels: _, ownerReferences: __, finalizers: ___, ...metadata } = metadataOf(body);
  return { name, rv, uid, labels: {}, body: { ...body, metadata }, ...(apart && { apart }) };
}

function storedObject(row: Row): StoredObject {
  const collection = parsePartition(row.pk).of as Collection;
  return { collection, row, state: parseObjectRow(parseNameKey(row.sk), row) };
}

/** The GC task for the chunks of a body, from one of them; undefined for other rows. */
function chunkTaskOf({ pk, collection, name, count }: Row): ChunkTask | undefined {
  const { kind, of: id } = parsePartition(pk);
  if (kind !== 'chunk') return undefined;
  return { collection: collection as Collection, name: String(name), uid: '', chunks: `${id}/${count}` };
}
