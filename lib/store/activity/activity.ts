import type { Clock } from '../../platform/index.ts';
import { activityKey } from '../keys.ts';
import type { Table } from '../table.ts';

/** How long a process writes after its last mark before it makes a new one, in ms. */
const FRESH = 60_000;

/** The time of the newest mark, in ms since the epoch; undefined before the first. It may be some seconds old. */
export async function readActivity(table: Table): Promise<number | undefined> {
  const row = await table.get(activityKey, undefined, 'eventual');
  return row && Number(row.at);
}

/** Resolves when the table has a fresh mark of this process. */
export type WriteMark = (table: Table) => Promise<void>;

/** Creates the function that a process calls before it writes. It makes one mark at most in each minute. */
export function createWriteMark(clock: Pick<Clock, 'now'>): WriteMark {
  let last = Number.NaN;
  return async (table) => {
    const at = clock.now();
    if (Math.abs(at - last) < FRESH) return;
    await table.update(activityKey, { set: { at } });
    last = at;
  };
}
