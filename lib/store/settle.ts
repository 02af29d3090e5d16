import type { Collection } from '../json/index.ts';
import { type Clock, type Logger, type Metrics, mapBounded, TIMING } from '../platform/index.ts';
import { GoneError, OutOfTimeError, UnavailableError } from './errors.ts';
import type { Filler } from './filler.ts';
import { decide } from './holes.ts';
import { type JournalEntry, readEntries } from './journal.ts';
import type { Table } from './table.ts';
import { readWatermarks } from './watermarks.ts';

export interface SettleOptions {
  readonly table: Table;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
  readonly collection: Collection;
  /** The filler; absent if this process puts holes itself. */
  readonly filler?: Filler | undefined;
}

/** The number of keys in one batch read. */
const CHUNK = 100;
/** The pauses between reads of a gap, in ms: short at first, for a writer that is just committing. */
const FIRST_PAUSE = 5;
const LAST_PAUSE = 250;
/** The maximum number of calls to the filler. After that, the request fails because the gap stays undecided. */
const FILL_ATTEMPTS = 3;

/** The time at which each gap was first seen, in ms since the epoch, by its resourceVersion. */
export type Gaps = Map<number, number>;

/**
 * Returns every entry of `from..to` (inclusive), ascending and without gaps: each resourceVersion is decided for ever.
 * A gap has a grace from the moment it was first seen. A writer's deadline is shorter, so a writer that has not
 * committed within the grace is dead. A hole then takes the place of its entry.
 *
 * @throws {GoneError} an entry is compacted. {@link UnavailableError} one stays undecided, and whatever the table
 * throws.
 */
export async function settledEntries(
  options: SettleOptions,
  from: number,
  to: number,
): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for (let start = from; start <= to; start += CHUNK) {
    const chunk = { from: start, to: Math.min(to, start + CHUNK - 1), gaps: new Map() };
    entries.push(...(await settledChunk(options, { ...chunk, wait: 'all' })));
  }
  return entries;
}

/**
 * Returns the decided entries at the front of `from..to` (inclusive), at most one batch read. With `wait: 'first'` it
 * waits for the first entry, as {@link settledEntries} does. With `none` it does not wait, and may return no entries.
 * The caller keeps `gaps` for its next call: gaps that were seen together share one grace, so their waits do not add
 * up.
 */
export async function settledFront(
  options: SettleOptions,
  { from, to, gaps, wait }: Chunk,
): Promise<JournalEntry[]> {
  for (const rv of gaps.keys()) if (rv < from) gaps.delete(rv);
  return settledChunk(options, { from, to: Math.min(to, from + CHUNK - 1), gaps, wait });
}

interface Chunk {
  readonly from: number;
  readonly to: number;
  readonly gaps: Gaps;
  /** The entries to wait for. */
  readonly wait: 'all' | 'first' | 'none';
}

async function settledChunk(
  options: SettleOptions,
  { from, to, gaps, wait }: Chunk,
): Promise<JournalEntry[]> {
  const { table, clock } = options;
  const found = new Map<number, JournalEntry>();
  const missing = () => versions(from, to).filter((rv) => !found.has(rv));
  const awaited = () => (wait === 'all' || (wait === 'first' && !found.has(from)) ? missing() : []);
  const look = async () => {
    const [first = from, last = to] = [missing()[0], missing().at(-1)];
    for (const entry of await readEntries(table, options.collection, first, last)) found.set(entry.rv, entry);
    const now = clock.now();
    for (const rv of missing()) if (!gaps.has(rv)) gaps.set(rv, now);
  };

  await look();
  if (awaited().length > 0) {
    refuseBelow(options, missing(), (await readMarks(options)).compacted);
    const givingUp = givingUpBy(options, gaps);
    for (let pause = FIRST_PAUSE; awaited().length > 0 && !givingUp.isDue(awaited()); pause *= 2) {
      await clock.sleep(Math.min(pause, LAST_PAUSE), table.deadline);
      await look();
    }
    if (awaited().length > 0) {
      // Read the watermarks first, then the entries once more. An entry that is still missing and lies below the
      // watermarks existed and was deleted.
      const { settled, compacted } = await readMarks(options);
      await look();
      refuseBelow(options, missing(), Math.max(settled, compacted));
      for (const entry of await givingUp.holes(missing(), awaited())) found.set(entry.rv, entry);
    }
  }
  const end = missing()[0] ?? to + 1;
  return versions(from, end - 1).map((rv) => found.get(rv) as JournalEntry);
}

/** How a reader decides gaps whose writers do not commit. */
interface GivingUp {
  /** Whether the wait for the awaited resourceVersions was long enough; `awaited` is not empty. */
  isDue(awaited: readonly number[]): boolean;
  /**
   * The holes that were put at gaps. The caller has checked that both watermarks, read after the gaps were seen, are
   * below them.
   *
   * @throws {UnavailableError} {@link OutOfTimeError} one of the awaited stays undecided.
   */
  holes(missing: readonly number[], awaited: readonly number[]): Promise<JournalEntry[]>;
}

function givingUpBy(options: SettleOptions, gaps: Gaps): GivingUp {
  const ageOf = (rv = 0) => options.clock.now() - (gaps.get(rv) ?? options.clock.now());
  if (options.filler !== undefined) return new Asking(options, options.filler, ageOf);
  return {
    isDue: ([first]) => ageOf(first) >= TIMING.grace,
    holes: (missing) =>
      fillHoles(
        options,
        missing.filter((rv) => ageOf(rv) >= TIMING.grace),
      ),
  };
}

async function fillHoles(options: SettleOptions, gaps: readonly number[]): Promise<JournalEntry[]> {
  if (gaps.length === 0) return [];
  options.logger.warn('gave up waiting for writers', {
    collection: options.collection,
    resourceVersions: gaps.slice(0, 10),
  });
  const { deadline } = options.table;
  const grace = options.clock.deadline(TIMING.grace);
  const signal = deadline === undefined ? grace : AbortSignal.any([grace, deadline]);
  return mapBounded(gaps, 10, async (rv) => {
    const entry = await decide({ ...options, rv, signal });
    if (entry !== undefined) return entry;
    throw refusedFor(options, rv);
  });
}

function refusedFor({ table, metrics, collection }: SettleOptions, rv: number): Error {
  metrics?.record('UndecidedHoles', 1);
  const message = `resourceVersion ${rv} of ${collection} stays undecided`;
  return table.deadline?.aborted ? new OutOfTimeError(message) : new UnavailableError(message);
}

/**
 * Calls the filler when the first awaited gap has been open for longer than a commit takes. If the call fails, it calls
 * again.
 */
class Asking implements GivingUp {
  readonly #options: SettleOptions;
  readonly #filler: Filler;
  readonly #ageOf: (rv: number | undefined) => number;
  #attempts = 0;
  #state: 'waits' | 'asked' | 'over' = 'waits';

  constructor(options: SettleOptions, filler: Filler, ageOf: (rv: number | undefined) => number) {
    this.#options = options;
    this.#filler = filler;
    this.#ageOf = ageOf;
  }

  /** True when the filler has answered or failed for the last time, or when the request's time is over. */
  isDue(awaited: readonly number[]): boolean {
    if (this.#options.table.deadline?.aborted) return true;
    if (this.#state === 'waits' && this.#ageOf(awaited[0]) >= TIMING.gapAsked) void this.#ask(awaited);
    return this.#state === 'over';
  }

  /** Returns no holes: the reader reads the holes from the journal, and never trusts the filler's answer. */
  async holes(_: readonly number[], [undecided]: readonly number[]): Promise<JournalEntry[]> {
    if (undecided !== undefined) throw refusedFor(this.#options, undecided);
    return [];
  }

  async #ask(awaited: readonly number[]): Promise<void> {
    const { collection, clock, logger, table } = this.#options;
    const late = clock.deadline(TIMING.fill);
    const signal = table.deadline === undefined ? late : AbortSignal.any([late, table.deadline]);
    const gap = { collection, from: Math.min(...awaited), to: Math.max(...awaited) };
    this.#state = 'asked';
    this.#attempts += 1;
    try {
      await this.#filler.fill(gap, signal);
      this.#state = 'over';
    } catch (error) {
      logger.warn('a gap was not filled', { ...gap, error });
      this.#state = this.#attempts < FILL_ATTEMPTS ? 'waits' : 'over';
    }
  }
}

const readMarks = ({ table, collection }: SettleOptions) => readWatermarks(table, collection);

function refuseBelow({ collection }: SettleOptions, gaps: readonly number[], mark: number): void {
  const [first] = gaps;
  if (first !== undefined && first <= mark) {
    throw new GoneError(`resourceVersion ${first} of ${collection} is compacted`);
  }
}

function versions(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
