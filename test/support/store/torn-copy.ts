import type { Random } from '../../../lib/platform/index.ts';
import type { Key, Row, Scan, Table } from '../../../lib/store/index.ts';
import { createMemoryTable, targetOf } from './memory-table.ts';

const textOf = ({ pk, sk }: Key) => `${pk}\n${sk}`;

/** A table that remembers what each row was, and when. */
export class RecordedTable {
  readonly table: Table;
  /** Every change of a row, in their order; the rows of one transaction one after the other. */
  readonly log: { readonly key: Key; readonly row: Row | undefined }[] = [];

  constructor(inner = createMemoryTable()) {
    const note = async (...keys: readonly Key[]) => {
      for (const { pk, sk } of keys) this.log.push({ key: { pk, sk }, row: await inner.get({ pk, sk }) });
    };
    this.table = {
      ...inner,
      put: async (row, ...more) => {
        const answer = await inner.put(row, ...more);
        await note(row);
        return answer;
      },
      update: async (key, ...more) => {
        const answer = await inner.update(key, ...more);
        await note(key);
        return answer;
      },
      delete: async (key, ...more) => {
        const answer = await inner.delete(key, ...more);
        await note(key);
        return answer;
      },
      transact: async (items, signal) => {
        const answer = await inner.transact(items, signal);
        await note(...items.filter((item) => !('check' in item)).map(targetOf));
        return answer;
      },
    };
  }

  /** What a row was at each moment from one on, the first of them included. */
  during(key: Key, from: number, upTo = this.log.length): readonly (Row | undefined)[] {
    const own = this.log
      .slice(0, upTo)
      .flatMap((one, at) => (textOf(one.key) === textOf(key) ? [{ ...one, at }] : []));
    const before = own.filter(({ at }) => at < from).at(-1)?.row;
    return [before, ...own.filter(({ at }) => at >= from).map(({ row }) => row)];
  }

  /**
   * Every row as it was at some moment between two, each at another. Rows that `lags` names are often as they were at the
   * first.
   */
  async copy(
    random: Random,
    from: number,
    upTo: number,
    lags: (key: Key) => boolean = () => false,
  ): Promise<TornCopy> {
    const moment = (key: Key) =>
      lags(key) && random.fraction() < 0.7 ? from : from + Math.floor(random.fraction() * (upTo - from + 1));
    const cuts = new Map<string, number>();
    const rows = new Map<string, Row | undefined>();
    for (const [at, { key, row }] of this.log.slice(0, upTo).entries()) {
      const text = textOf(key);
      const cut = cuts.get(text) ?? moment(key);
      cuts.set(text, cut);
      if (at < cut) rows.set(text, row);
    }
    const copy = new TornCopy();
    for (const row of rows.values()) if (row !== undefined) await copy.table.put(row);
    return copy;
  }
}

const PAGE = 20;

/** A table that can be scanned, and whose user can be killed. */
export class TornCopy {
  /** Of who works on it: nothing more is done for who was killed. */
  readonly table: Table;
  /** Requests until its user is killed. */
  left = Number.POSITIVE_INFINITY;
  readonly #inner: Table;
  readonly #keys = new Map<string, Key>();

  constructor() {
    const inner = createMemoryTable();
    this.#inner = inner;
    const live = async () => {
      this.left -= 1;
      if (this.left < 0) throw new KilledError('killed');
    };
    const note = (...keys: readonly Key[]) => {
      for (const { pk, sk } of keys) this.#keys.set(textOf({ pk, sk }), { pk, sk });
    };
    this.table = {
      get: (key) => live().then(() => inner.get(key)),
      query: (request) => live().then(() => inner.query(request)),
      batchGet: (keys) => live().then(() => inner.batchGet(keys)),
      delete: (key, ...more) => live().then(() => inner.delete(key, ...more)),
      put: async (row, ...more) => {
        await live();
        note(row);
        return inner.put(row, ...more);
      },
      update: async (key, ...more) => {
        await live();
        note(key);
        return inner.update(key, ...more);
      },
      transact: async (items, signal) => {
        await live();
        note(...items.map(targetOf));
        return inner.transact(items, signal);
      },
    };
  }

  readonly scan: Scan = async (after) => {
    const from = after === undefined ? '' : textOf(after);
    const keys = [...this.#keys.keys()].sort().filter((text) => text > from);
    const page = keys.slice(0, PAGE).flatMap((text) => this.#keys.get(text) ?? []);
    const rows = await this.#inner.batchGet(page);
    return { rows, next: keys.length > PAGE ? page.at(-1) : undefined };
  };

  async rows(): Promise<readonly Row[]> {
    return this.#inner.batchGet([...this.#keys.values()]);
  }
}

export class KilledError extends Error {
  override name = 'KilledError';
}
