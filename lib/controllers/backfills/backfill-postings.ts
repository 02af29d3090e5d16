import type { Hints } from '../../coordination/index.ts';
import { type Collection, TooLargeError } from '../../json/index.ts';
import { type Clock, type Logger, MEMORY, mapBounded } from '../../platform/index.ts';
import { everything } from '../../selectors/index.ts';
import {
  type CarriedSelector,
  LabelLimitError,
  nameKey,
  type ObjectState,
  parseNameKey,
  type Store,
  type Table,
} from '../../store/index.ts';
import { moveSweep, readSweeps, type Sweep } from './sweep-rows.ts';

/** A kind of carrier. Some of its objects may have been written before Winnow indexed their selectors. */
export interface CarrierKind {
  /** The definition of their selectors besides their bodies: a version, or a declaration. `''`: they select nothing. */
  readonly by: string;
  /** In ms: this long after a change of `by`, no write that was decided before the change is still under way. */
  readonly wait: number;
  /** All selectors of an object; undefined where it has none and never had any. */
  selectsOf(object: ObjectState): Promise<readonly CarriedSelector[] | undefined>;
}

export interface SweepOptions {
  readonly table: Table;
  readonly store: Store;
  readonly hints: Pick<Hints, 'announce'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The number of objects of one page; the position is stored after each page. */
  readonly page?: number;
}

const PAGE = 100;
const AT_ONCE = 4;
/** In ms: no page begins later; the next invocation continues. */
const LAST_PAGE = 15_000;

/**
 * Brings the postings of existing objects up to date, if the objects were written before Winnow indexed their
 * selectors, or before their definition declared them. Each object is written again unchanged, so watches report it.
 *
 * It visits all objects of each kind once, and again where `by` has changed. The position is stored after each page,
 * and the next invocation continues there. Returns whether there was nothing to do.
 */
export async function backfillPostings(
  options: SweepOptions,
  kinds: ReadonlyMap<Collection, CarrierKind>,
): Promise<boolean> {
  const began = options.clock.now();
  const sweeps = await readSweeps(options.table);
  const open = [...kinds].filter(([collection, kind]) => !isOver(kind, sweeps.get(collection)));
  for (const [collection, kind] of open) {
    let sweep = await dueSweep(options, { collection, kind, known: sweeps.get(collection) });
    while (sweep !== undefined && !sweep.isDone) {
      if (options.clock.now() - began > LAST_PAGE) return false;
      sweep = await sweepPage(options, kind, sweep);
    }
  }
  return open.length === 0;
}

/** Whether all objects of a kind were visited, or none has to be. */
function isOver({ by }: CarrierKind, known: Sweep | undefined): boolean {
  return known === undefined ? by === '' : known.by === by && known.isDone;
}

interface Known {
  readonly collection: Collection;
  readonly kind: CarrierKind;
  readonly known: Sweep | undefined;
}

/** The backfill of a kind that may run now; undefined where there is none. */
async function dueSweep(
  { table, clock }: SweepOptions,
  { collection, kind, known }: Known,
): Promise<Sweep | undefined> {
  if (known?.by === kind.by) return clock.now() - known.since >= kind.wait ? known : undefined;
  // A write of the earlier release or definition may still be under way.
  await moveSweep(table, known, { collection, by: kind.by, since: clock.now(), after: '', isDone: false });
  return undefined;
}

/** The backfill after its next page; undefined where another process moved it meanwhile. */
async function sweepPage(options: SweepOptions, kind: CarrierKind, sweep: Sweep): Promise<Sweep | undefined> {
  const { store, table, page: limit = PAGE } = options;
  const { items, next } = await store.list(sweep.collection, {
    selector: everything,
    limit,
    mostHeap: MEMORY.page,
    ...(sweep.after !== '' && { after: parseNameKey(sweep.after) }),
  });
  const { collection } = sweep;
  await mapBounded(items, AT_ONCE, (object) => anchor(options, { collection, kind, object }));
  const { move: _move, ...stored } = sweep;
  return moveSweep(table, sweep, {
    ...stored,
    after: next === undefined ? sweep.after : nameKey(next),
    isDone: next === undefined,
  });
}

interface Carrying {
  readonly collection: Collection;
  readonly kind: CarrierKind;
  readonly object: ObjectState;
}

/** Writes an object unchanged, where its postings are out of date. */
async function anchor(
  { store, hints, logger }: SweepOptions,
  { collection, kind, object }: Carrying,
): Promise<void> {
  if ((await kind.selectsOf(object)) === undefined) return;
  try {
    const outcome = await store.write(collection, object.name, async (current) => {
      const selects = current && (await kind.selectsOf(current));
      if (current === undefined || selects === undefined) return { kind: 'none' };
      return { kind: 'put', body: current.body, selects, reanchors: true };
    });
    if (outcome.kind !== 'none' && outcome.after !== undefined) {
      await hints.announce(collection, outcome.after.rv);
    }
  } catch (error) {
    if (!(error instanceof LabelLimitError || error instanceof TooLargeError)) throw error;
    const name = nameKey(object.name);
    logger.warn('an object has no room for its postings, so its selectors are not found', {
      collection,
      name,
    });
  }
}
