import {
  type Key,
  type QueryPage,
  type QueryRequest,
  type Reading,
  type Row,
  type Table,
  ThrottledError,
  type TransactItem,
  type TransactOutcome,
} from '../../../lib/store/index.ts';
import { queryRows } from '../../support/store/memory-table.ts';
import { EPOCH } from './clock.ts';
import type { Process } from './process.ts';
import type { Surroundings } from './surroundings.ts';
import { createIndexes } from './table-index.ts';
import { keyText, type RowChange, TableRows } from './table-rows.ts';
import { transact } from './table-transaction.ts';
import { request, ThrottledLaterError, type WireRequest } from './wire.ts';

/** The longest delay of DynamoDB's deletion of an expired row, in ms. */
const LATEST_EXPIRY = 48 * 3_600_000;
/** Attempts of the SDK for a transaction without an answer. Every other request has one attempt. */
const TRANSACTION_ATTEMPTS = 4;

/** How long eventually consistent reads may miss a change, in ms. */
const STALE = 2_000;

/** A table that behaves like DynamoDB. The folder's README says how it differs from emulators. */
export class SimulatedTable {
  readonly rows: TableRows;
  readonly #world: Surroundings;
  readonly #indexes: ReturnType<typeof createIndexes>;
  readonly #watchers: ((change: RowChange) => void)[] = [];
  /** The last change of each row: what it was before, and when it changed. */
  readonly #changed = new Map<string, { readonly before: Row | undefined; readonly at: number }>();
  readonly #certain: ((items: readonly TransactItem[]) => void)[] = [];

  constructor(world: Surroundings) {
    this.#world = world;
    this.#indexes = createIndexes(world);
    this.rows = new TableRows((change) => this.#follow(change));
  }

  /** Calls the watcher for every change of a row, as the table's stream does. */
  watch(watcher: (change: RowChange) => void): void {
    this.#watchers.push(watcher);
  }

  /** Calls the watcher for every transaction once it is certain to take place, before any of its rows is readable. */
  watchTransactions(watcher: (items: readonly TransactItem[]) => void): void {
    this.#certain.push(watcher);
  }

  /** The table as one process reaches it. */
  connect(process: Process): Table {
    const { rows } = this;
    const ask = <Result>(
      what: string,
      signal: AbortSignal | undefined,
      perform: WireRequest<Result>['perform'],
    ) => request<Result>(this.#world, process, { what, attempts: 1, signal, perform });
    return {
      get: (key, signal, reading) =>
        ask(`get ${key.pk}`, signal, (done) =>
          done(reading === 'eventual' ? this.#stale(key) : rows.get(key)),
        ),
      query: (wanted, signal) =>
        ask(`query ${wanted.partition}`, signal, (done) => this.#query(wanted, done)),
      batchGet: (keys, signal, reading) =>
        ask(`batchGet ${keys[0]?.pk ?? ''}`, signal, (done) => this.#batchGet(keys, done, reading)),
      put: (row, condition, signal) =>
        ask(`put ${row.pk} ${row.sk}`, signal, (done) => done(rows.put(row, condition))),
      delete: (key, condition, signal) =>
        ask(`delete ${key.pk}`, signal, (done) => done(rows.delete(key, condition))),
      update: (key, change, signal) =>
        ask(`update ${key.pk} ${key.sk}`, signal, (done) => done(rows.update(key, change))),
      transact: (items, signal) => this.#transact(process, items, signal),
    };
  }

  /** The row as an eventually consistent read sees it: perhaps as it was before its last change. */
  #stale(key: Key): Row | undefined {
    const { chance, scheduler } = this.#world;
    const last = this.#changed.get(keyText(key));
    const isOld = last === undefined || scheduler.now - last.at > STALE || chance.chance(0.5);
    return isOld ? this.rows.get(key) : last.before;
  }

  #follow(change: RowChange): void {
    const { before, after } = change;
    const key = keyText(after ?? before ?? { pk: '', sk: '' });
    this.#changed.set(key, { before, at: this.#world.scheduler.now });
    for (const index of this.#indexes.values()) index.follow(change);
    for (const watcher of this.#watchers) watcher(change);
    if (change.after !== undefined) this.#expireInTime(change.after);
  }

  /** Deletes an expired row, late and out of order. */
  #expireInTime(row: Row): void {
    const { scheduler, chance, faults } = this.#world;
    if (row.ttl === undefined || (row.pk.startsWith('anchor#') && !faults.tearsAnchors)) return;
    const expires = Number(row.ttl) * 1000 - EPOCH - scheduler.now;
    scheduler.after(expires + chance.next() * LATEST_EXPIRY, () => {
      if (this.rows.get(row) === row) this.rows.remove(row);
    });
  }

  /** Queries rows. A query reads its first and its last rows at different moments. */
  #query(wanted: QueryRequest, done: (page: QueryPage) => void): void {
    const read = () =>
      queryRows(
        wanted.index === undefined
          ? this.rows.partition(wanted.partition)
          : (this.#indexes.get(wanted.index)?.partition(wanted.partition) ?? []),
        wanted,
      );
    const first = read();
    this.#torn(() => {
      const last = read();
      const half = first.rows.slice(0, Math.ceil(first.rows.length / 2));
      const border = half.at(-1);
      if (border === undefined) return done(last);
      const place = last.rows.findIndex((row) => row.pk === border.pk && row.sk === border.sk);
      // If the border row is gone, a page that begins with the old half could not be told from one of a single moment.
      done(place < 0 ? first : { ...last, rows: [...half, ...last.rows.slice(place + 1)] });
    });
  }

  #batchGet(keys: readonly Key[], done: (rows: Row[]) => void, reading?: Reading): void {
    const { chance } = this.#world;
    const [early, late] = [keys.slice(0, keys.length / 2), keys.slice(keys.length / 2)];
    const get = (key: Key) => (reading === 'eventual' ? this.#stale(key) : this.rows.get(key));
    const read = (some: readonly Key[]) => some.flatMap((key) => get(key) ?? []);
    const first = read(early);
    this.#torn(() => done(chance.shuffled([...first, ...read(late)])));
  }

  #torn(goOn: () => void): void {
    const { chance, scheduler, faults } = this.#world;
    if (chance.chance(0.5)) {
      goOn();
    } else {
      scheduler.after(chance.next() * faults.spread[1], goOn);
    }
  }

  /**
   * Sends a transaction. The SDK sends an idempotency token, so the next attempt returns the answer of an attempt
   * whose answer was lost.
   */
  async #transact(
    process: Process,
    items: readonly TransactItem[],
    signal: AbortSignal,
  ): Promise<TransactOutcome> {
    let isUnderWay = false;
    let outcome: 'committed' | 'cancelled' | undefined;
    const waiting: ((outcome: 'committed' | 'cancelled') => void)[] = [];
    const perform: WireRequest<'committed' | 'cancelled'>['perform'] = (done) => {
      if (outcome === 'committed') return done(outcome);
      waiting.push(done);
      if (isUnderWay) return;
      isUnderWay = true;
      const certain = () => {
        for (const watcher of this.#certain) watcher(items);
      };
      const finished = (how: 'committed' | 'cancelled') => {
        isUnderWay = false;
        outcome = how;
        for (const tell of waiting.splice(0)) tell(how);
      };
      transact(this.#world, this.rows, { items, certain, done: finished });
    };
    try {
      const wanted = { what: 'transact', attempts: TRANSACTION_ATTEMPTS, perform, signal };
      return { outcome: await request(this.#world, process, wanted) };
    } catch (error) {
      const throttled = error instanceof ThrottledError;
      const isKnown = throttled && !(error instanceof ThrottledLaterError);
      return { outcome: isKnown ? 'cancelled' : 'unknown', throttled };
    }
  }
}
