import { type Clock, systemClock } from '../../../lib/platform/index.ts';
import { parseSelector, type Selector } from '../../../lib/selectors/index.ts';
import { type ListPlan, nameKey, type Store, type Table } from '../../../lib/store/index.ts';
import { openStore } from '../../support/store/store-fixture.ts';
import { LIST_ROWS_BAR } from '../bars.ts';
import { DifferenceError } from '../compare.ts';
import { median, percentile, round } from '../report.ts';
import type { ListCase } from './list-objects.ts';
import { type Scanned, scan } from './list-scan.ts';
import { COLLECTION } from './list-seed.ts';

/** `cold`: a process that has just begun. `warm`: one that has answered the same before. */
export type Temperature = 'cold' | 'warm';

interface ListedTableOptions {
  readonly table: Table;
  readonly objects: number;
  stop(): Promise<void>;
}

/** One collection that is listed in turns with others. */
export class ListedTable {
  /** What time it is for the lists. */
  now = systemClock.now();
  readonly #options: ListedTableOptions;
  readonly #clock: Clock = { ...systemClock, now: () => this.now };
  /** By selector. What a scan takes does not depend on the time. */
  readonly #scans = new Map<string, Scanned>();
  #running: Running | undefined;

  constructor(options: ListedTableOptions) {
    this.#options = options;
  }

  get objects(): number {
    return this.#options.objects;
  }

  /** Milliseconds that the lists of this case took. */
  get spent(): number {
    return this.#case.times.reduce((sum, time) => sum + time, 0);
  }

  async begin(listed: ListCase, temperature: Temperature): Promise<void> {
    this.#running = {
      listed,
      temperature,
      selector: parseSelector(listed.selector),
      store: this.#openStore(),
      times: [],
    };
    // Also so that the database has the rows in memory, whatever our process has.
    await this.#explain();
  }

  async list(): Promise<void> {
    const running = this.#case;
    if (running.temperature === 'cold') running.store = this.#openStore();
    const began = performance.now();
    await running.store.list(COLLECTION, { selector: running.selector });
    running.times.push(performance.now() - began);
  }

  /** The figures of the case, its answer compared with a scan's. */
  async end() {
    const { listed, temperature, selector, times } = this.#case;
    const { objects } = this.#options;
    const scanned = await this.#scan(selector);
    const { plan, names } = await this.#explain();
    expectNames(`${listed.selector} of ${objects}`, names, scanned.names);
    if (names.length !== listed.matches) {
      throw new DifferenceError(`${listed.selector} of ${objects} gives ${names.length} objects`);
    }
    const p50 = median(times);
    return {
      selector: listed.selector,
      process: temperature,
      matches: names.length,
      ...rowsOf(plan, listed.sparsest(objects)),
      requests: plan.total.requests,
      units: plan.total.units,
      p50: round(p50),
      p99: round(percentile(times, 0.99)),
      lists: times.length,
      scanRows: scanned.rows,
      scan: round(scanned.milliseconds / p50),
    };
  }

  stop(): Promise<void> {
    return this.#options.stop();
  }

  get #case(): Running {
    if (this.#running === undefined) throw new Error('no case has begun');
    return this.#running;
  }

  #openStore(): Store {
    return openStore(this.#options.table, this.#clock);
  }

  async #scan(selector: Selector): Promise<Scanned> {
    const known = this.#scans.get(String(selector));
    const scanned = known ?? (await scan(this.#options.table, COLLECTION, selector));
    this.#scans.set(String(selector), scanned);
    return scanned;
  }

  async #explain(): Promise<{ plan: ListPlan; names: string[] }> {
    const running = this.#case;
    if (running.temperature === 'cold') running.store = this.#openStore();
    const page = await running.store.list(COLLECTION, { selector: running.selector, explain: true });
    if (page.plan === undefined) throw new Error('a list was not explained');
    return { plan: page.plan, names: page.items.map(({ name }) => nameKey(name)) };
  }
}

interface Running {
  readonly listed: ListCase;
  readonly temperature: Temperature;
  readonly selector: Selector;
  store: Store;
  readonly times: number[];
}

/** What was read to find the answer; apart from it the answer's own rows, and the window's. */
function rowsOf({ steps, total, candidates, access }: ListPlan, sparsest: number | undefined) {
  const of = (purpose: string) => steps.find((step) => step.purpose === purpose)?.rows ?? 0;
  const answer = of('objects');
  const window = of('window');
  const rows = total.rows - answer - window;
  const common = { access, candidates, rows, answer, window };
  if (sparsest === undefined) return common;
  const bar = Math.floor(sparsest * LIST_ROWS_BAR.times + LIST_ROWS_BAR.more);
  return { ...common, sparsest, bar, reached: rows <= bar, saved: Math.max(0, sparsest - candidates) };
}

function expectNames(what: string, ours: readonly string[], scanned: readonly string[]): void {
  if (ours.join() !== scanned.join()) {
    throw new DifferenceError(`${what}: a list gives ${ours.length} objects, a scan ${scanned.length}`);
  }
}
