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

/** Objects that may have been written when nobody knew yet what they select. */
export interface CarrierKind {
  /** What that depends on beside their bodies; `''`: they select nothing. */
  readonly by: string;
  /** In ms: so long after `by` has changed no write goes on that was decided before. */
  readonly wait: number;
  /** All that an object selects; undefined where it selects nothing and never did. */
  selectsOf(object: ObjectState): Promise<readonly CarriedSelector[] | undefined>;
}

export interface SweepOptions {
  readonly table: Table;
  readonly store: Store;
  readonly hints: Pick<Hints, 'announce'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Objects between two moves. */
  readonly page?: number;
}

const PAGE = 100;
const AT_ONCE = 4;
/** In ms: no page begins later; the next invocation continues. */
const LAST_PAGE = 15_000;

/**
 * Has objects be found by their selectors that were written before anybody knew what they select: before Winnow did,
 * or before their definition said so. Each of them is written again unchanged, so watches report it.
 *
 * It goes over each kind once, and again where `by` has changed. The position is stored after each page, and the next
 * invocation continues there.
 */
export async function backfillPostings(
  options: SweepOptions,
  kinds: ReadonlyMap<Collection, CarrierKind>,
): Promise<void> {
  const began = options.clock.now();
  const sweeps = await readSweeps(options.table);
  for (const [collection, kind] of kinds) {
    let sweep = await dueSweep(options, { collection, kind, known: sweeps.get(collection) });
    while (sweep !== undefined && !sweep.isDone) {
      if (options.clock.now() - began > LAST_PAGE) return;
      sweep = await sweepPage(options, kind, sweep);
    }
  }
}

interface Known {
  readonly collection: Collection;
  readonly kind: CarrierKind;
  readonly known: Sweep | undefined;
}

/** Undefined where nothing is to be done now. */
async function dueSweep(
  { table, clock }: SweepOptions,
  { collection, kind, known }: Known,
): Promise<Sweep | undefined> {
  if (known?.by === kind.by) return clock.now() - known.since >= kind.wait ? known : undefined;
  if (known === undefined && kind.by === '') return undefined;
  // A write of the earlier release may still be under way.
  await moveSweep(table, known, { collection, by: kind.by, since: clock.now(), after: '', isDone: false });
  return undefined;
}

/** Undefined where somebody else goes on with it. */
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

/** Writes an object as it is, where it is not found by what it selects. */
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
    logger.warn('an object has no room for what it selects, and is not found by it', { collection, name });
  }
}
