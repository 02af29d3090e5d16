import type { Collection } from '../../json/index.ts';
import type { Row, Table } from '../../store/index.ts';
import { sweepKey, sweepsPartition } from '../../store/index.ts';

/** The position of a backfill in a collection, stored so that the next invocation continues there. */
export interface Sweep {
  readonly collection: Collection;
  /**
   * `by` of the carrier kind when the backfill began. If the kind has another `by` now, the backfill starts again.
   */
  readonly by: string;
  /** When a process first found that the objects need this backfill, in ms since the epoch. */
  readonly since: number;
  /** The name key (`nameKey`) of the last object that is done; `''` before the first. */
  readonly after: string;
  readonly isDone: boolean;
  /** The number of moves so far. */
  readonly move: number;
}

/** All backfills that ever began, by collection. */
export async function readSweeps(table: Table): Promise<ReadonlyMap<Collection, Sweep>> {
  const sweeps = new Map<Collection, Sweep>();
  for (let from: string | undefined = '!'; from !== undefined; ) {
    const { rows, more } = await table.query({ partition: sweepsPartition, from, to: '~' });
    for (const sweep of rows.map(parseSweep)) sweeps.set(sweep.collection, sweep);
    from = more ? `${rows.at(-1)?.sk}!` : undefined;
  }
  return sweeps;
}

/** Stores the position of a backfill. Returns undefined where another process moved it since `before` was read. */
export async function moveSweep(
  table: Table,
  before: Sweep | undefined,
  next: Omit<Sweep, 'move'>,
): Promise<Sweep | undefined> {
  const { collection, ...rest } = next;
  const move = (before?.move ?? 0) + 1;
  const { outcome } = await table.put({ ...sweepKey(collection), ...rest, move }, [
    before === undefined ? { missing: 'move' } : { attribute: 'move', is: '=', value: before.move },
  ]);
  return outcome === 'done' ? { ...next, move } : undefined;
}

function parseSweep({ sk, by, since, after, isDone, move }: Row): Sweep {
  return {
    collection: sk as Collection,
    by: String(by),
    since: Number(since),
    after: String(after),
    isDone: isDone === true,
    move: Number(move),
  };
}
