import type { Collection } from '../../json/index.ts';
import type { Row, Table } from '../../store/index.ts';
import { sweepKey, sweepsPartition } from '../../store/index.ts';

/** The position of a backfill in a collection, stored so that the next invocation continues there. */
export interface Sweep {
  readonly collection: Collection;
  /** What the objects are brought to: where that is another text they are gone over anew. */
  readonly by: string;
  /** When somebody knew first that they are to be gone over, in ms since the epoch. */
  readonly since: number;
  /** The last object that is done, as `nameKey` spells it; `''` before the first. */
  readonly after: string;
  readonly isDone: boolean;
  /** One more with each move. */
  readonly move: number;
}

/** All that were ever begun, by their collection. */
export async function readSweeps(table: Table): Promise<ReadonlyMap<Collection, Sweep>> {
  const sweeps = new Map<Collection, Sweep>();
  for (let from: string | undefined = '!'; from !== undefined; ) {
    const { rows, more } = await table.query({ partition: sweepsPartition, from, to: '~' });
    for (const sweep of rows.map(parseSweep)) sweeps.set(sweep.collection, sweep);
    from = more ? `${rows.at(-1)?.sk}!` : undefined;
  }
  return sweeps;
}

/** Stores how far it is, unless somebody else did since `before` was read: then undefined. */
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
