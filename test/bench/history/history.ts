import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject, ObjectName } from '../../../lib/json/index.ts';
import { measuredTable, noReadCost, type Row, type Store, type Table } from '../../../lib/store/index.ts';
import { journalKey, nameKey, objectKey } from '../../../lib/store/keys.ts';
import { openStore } from '../../support/store/store-fixture.ts';
import { openTable } from '../../support/store/table.ts';
import { HISTORY_BARS, HISTORY_BYTES_BAR } from '../bars.ts';
import { DifferenceError } from '../compare.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { podOf } from '../list/list-objects.ts';
import { COLLECTION, seededFolder } from '../list/list-seed.ts';
import type { Options } from '../options.ts';
import { median, type Report, round } from '../report.ts';
import { CACHE } from '../toolchain.ts';

/** Readings of each object, and the changes of its status between two others. */
const FULL = { reads: 300, statuses: 10_000 };
const QUICK = { reads: 20, statuses: 200 };
/** The changes that a reading asks for. */
const VERSIONS = 20;
const LABELS = { app: 'web', tier: 'front', env: 'prod', team: 'a' };
/** The attributes of rows that history added. */
const ADDED = ['mainRv', 'previousMain', 'manager'];

/**
 * `npm run bench -- history`: what reading 20 changes of one object takes, whatever the size of the collection and the
 * number of changes of its status.
 */
export async function benchHistory(options: Options, _inputs: Inputs, report: Report): Promise<void> {
  const { reads, statuses } = options.quick ? QUICK : FULL;
  const tables: ReadTable[] = [];
  const folders: string[] = [];
  try {
    for (const objects of options.facets ?? (options.quick ? [1_000] : [1_000, 100_000])) {
      report.progress(
        `history: ${objects.toLocaleString('en')} objects, and ${statuses} changes of a status`,
      );
      const folder = await mkdtemp(join(tmpdir(), 'winnow-history-'));
      folders.push(folder);
      await cp(await seededFolder(CACHE, objects), folder, { recursive: true });
      const { table, stop } = await openTable(folder);
      tables.push(await ReadTable.fill({ table, stop, objects, statuses }));
    }
    // In turns, so that what slows the machine down slows all of them down.
    for (let turn = 0; turn < reads; turn += 1) {
      for (const table of tables) for (const object of OBJECTS) await table.time(object);
    }
    for (const table of tables) {
      for (const object of OBJECTS) report.add(await table.figure(object, tables[0]));
      report.add(await table.rows());
    }
  } finally {
    for (const table of tables) await table.stop();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  }
}

/** One object with changes of its spec alone, and one with changes of its status in between. */
const OBJECTS = ['specs', 'statuses'] as const;
type ReadObject = (typeof OBJECTS)[number];

interface ReadTableOptions {
  readonly table: Table;
  readonly objects: number;
  readonly statuses: number;
  stop(): Promise<void>;
}

/** A table with the two objects among others. */
class ReadTable {
  readonly #options: ReadTableOptions;
  readonly #store: Store;
  readonly #times = new Map<ReadObject, number[]>(OBJECTS.map((object) => [object, []]));

  constructor(options: ReadTableOptions) {
    this.#options = options;
    this.#store = openStore(options.table);
  }

  static async fill(options: ReadTableOptions): Promise<ReadTable> {
    const store = openStore(options.table).within(new AbortController().signal, {
      auditID: '0b7c9f5e-0000-4000-8000-0123456789ab',
      user: 'arn:aws:sts::111122223333:assumed-role/Admin/ann',
      manager: 'kubectl-client-side-apply',
    });
    for (let version = 0; version < VERSIONS + 5; version += 1) {
      const labels = { ...LABELS, version: String(version) };
      for (const object of OBJECTS) {
        await put(store, object, { ...podOf(nameOf(object), object, labels), status: { version } });
      }
      if (version !== VERSIONS) continue;
      for (let status = 0; status < options.statuses; status += 1) {
        await put(store, 'statuses', {
          ...podOf(nameOf('statuses'), 'statuses', labels),
          status: { status },
        });
      }
    }
    return new ReadTable(options);
  }

  async time(object: ReadObject): Promise<void> {
    const began = performance.now();
    await read(this.#store, object);
    this.#times.get(object)?.push(performance.now() - began);
  }

  async figure(object: ReadObject, first: ReadTable | undefined) {
    const { table, objects, statuses } = this.#options;
    const used = noReadCost();
    await read(openStore(measuredTable(table, used)), object);
    const p50 = this.#p50(object);
    const slower = round(p50 / (first ?? this).#p50(object));
    const { requests, units } = used;
    const { growth, ...most } = HISTORY_BARS;
    return {
      bench: 'history',
      objects,
      statuses: object === 'statuses' ? statuses : 0,
      versions: VERSIONS,
      requests,
      units,
      p50: round(p50),
      slower,
      bar: `${most.requests} requests, ${most.units} units, ${growth} times`,
      reached: requests <= most.requests && units <= most.units && slower <= growth,
    };
  }

  /** The sizes of the rows of an object, and how much of them history added. */
  async rows() {
    const { table, objects } = this.#options;
    const name = nameOf('specs');
    const object = await table.get(objectKey(COLLECTION, nameKey(name)));
    const entry = await table.get(journalKey(COLLECTION, Number(object?.rv)));
    if (object === undefined || entry === undefined) throw new Error('the object has no rows');
    const added = { objectAdded: bytesOf(object, ADDED), entryAdded: bytesOf(entry, ADDED) };
    const bar = HISTORY_BYTES_BAR;
    return {
      bench: 'history, bytes of rows',
      objects,
      object: bytesOf(object),
      entry: bytesOf(entry),
      ...added,
      bar,
      reached: Math.max(added.objectAdded, added.entryAdded) <= bar,
    };
  }

  stop(): Promise<void> {
    return this.#options.stop();
  }

  #p50(object: ReadObject): number {
    return median(this.#times.get(object) ?? []);
  }
}

async function read(store: Store, object: ReadObject): Promise<void> {
  const { changes } = await store.historyOf(COLLECTION, {
    name: nameOf(object),
    all: false,
    limit: VERSIONS,
  });
  if (changes.length !== VERSIONS) throw new DifferenceError(`${object} has ${changes.length} changes`);
}

function put(store: Store, object: ReadObject, body: JsonObject): Promise<unknown> {
  return store.write(COLLECTION, nameOf(object), () => ({ kind: 'put', body }));
}

const nameOf = (object: ReadObject): ObjectName => ({ namespace: 'history', name: object });

/**
 * The size of a row, or of some of its attributes, as DynamoDB counts it:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
function bytesOf(row: Row, attributes: readonly string[] = Object.keys(row)): number {
  return attributes
    .filter((name) => row[name] !== undefined)
    .reduce((sum, name) => sum + Buffer.byteLength(name) + sizeOf(row[name]), 0);
}

function sizeOf(value: Row[string]): number {
  if (typeof value === 'number') return Math.ceil(String(value).replace(/0+$/, '').length / 2) + 1;
  if (typeof value === 'string') return Buffer.byteLength(value);
  return value instanceof Uint8Array ? value.byteLength : 1;
}
