import { decodeBody } from '../../../lib/store/body/body-codec.ts';
import {
  measuredTable,
  nameKey,
  noReadCost,
  type SelectorMatches,
  type Table,
} from '../../../lib/store/index.ts';
import { openStore } from '../../support/store/store-fixture.ts';
import { SELECTS_MISSES_BAR } from '../bars.ts';
import { DifferenceError } from '../compare.ts';
import { median, percentile, round } from '../report.ts';
import { ASKED, type SelectsCase } from './selects-cases.ts';
import { CARRIERS, carriedOf, NAMESPACE, TARGET } from './selects-seed.ts';

/** Selectors that one look-up may find. */
const MOST = 5_000;
const PAGE = 1_000;

interface LookedUpTableOptions {
  readonly table: Table;
  readonly asked: SelectsCase;
  /** How many there are. */
  readonly selectors: number;
  stop(): Promise<void>;
}

/** A table of selectors that is asked in turns with others who selects an object. */
export class LookedUpTable {
  readonly #options: LookedUpTableOptions;
  readonly #times: number[] = [];

  constructor(options: LookedUpTableOptions) {
    this.#options = options;
  }

  /** Milliseconds that the look-ups took. */
  get spent(): number {
    return this.#times.reduce((sum, time) => sum + time, 0);
  }

  async lookUp(): Promise<void> {
    const began = performance.now();
    await this.#find(this.#options.table);
    this.#times.push(performance.now() - began);
  }

  /** What a look-up takes, its answer compared with that of a scan of all carriers. */
  async figures() {
    const { table, asked, selectors } = this.#options;
    const used = noReadCost();
    const { found, tally } = await this.#find(measuredTable(table, used));
    const scanned = await scan(table);
    const names = found.map(({ name }) => nameKey(name));
    if (names.toSorted().join() !== scanned.names.toSorted().join()) {
      throw new DifferenceError(
        `${asked.name}, ${selectors}: ${names.length} are found, ${scanned.names.length} by a scan`,
      );
    }
    const matches = names.length;
    if (matches !== asked.matches) throw new DifferenceError(`${asked.name}: ${matches} select`);
    const misses = tally.rows - matches;
    const p50 = median(this.#times);
    return {
      of: selectors,
      matches,
      misses,
      queries: tally.queries,
      mostQueries: 4 * Object.keys(ASKED).length + 2,
      units: used.units,
      p50: round(p50),
      p99: round(percentile(this.#times, 0.99)),
      lookUps: this.#times.length,
      scanRows: scanned.rows,
      scan: round(scanned.milliseconds / p50),
      ...(asked.pairsDiffer && { reached: misses < SELECTS_MISSES_BAR * matches }),
    };
  }

  stop(): Promise<void> {
    return this.#options.stop();
  }

  #find(table: Table): Promise<SelectorMatches> {
    const store = openStore(table);
    return store.selecting(
      { target: TARGET, namespace: NAMESPACE, labels: ASKED },
      {
        most: MOST,
        matches: ({ selector }) => selector.matches(ASKED),
        readCarrier: async (collection, name) => {
          const state = await store.get(collection, name);
          return state && { uid: state.uid, carried: carriedOf(state.body) };
        },
      },
    );
  }
}

/** What it takes without an index, at its best: every carrier once. */
async function scan(table: Table) {
  const began = performance.now();
  const names: string[] = [];
  let rows = 0;
  for (let from: string | undefined = '!'; from !== undefined; ) {
    const page = await table.query({ partition: `object#${CARRIERS}`, from, to: '~', limit: PAGE });
    rows += page.rows.length;
    const matching = page.rows.filter(({ body }) =>
      carriedOf(decodeBody(body)).some(({ selector }) => selector.matches(ASKED)),
    );
    names.push(...matching.map(({ sk }) => sk));
    from = page.more ? `${page.rows.at(-1)?.sk}!` : undefined;
  }
  return { names, rows, milliseconds: performance.now() - began };
}
