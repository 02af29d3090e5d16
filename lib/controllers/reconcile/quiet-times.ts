import type { Clock } from '../../platform/index.ts';
import { createWriteMark, readActivity, type Table } from '../../store/index.ts';

interface QuietTimesOptions {
  readonly table: Table;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Runs a complete tick, unless nothing can be due. `all`: run it in any case.
 *
 * @param tick gets whether to look after everything. It returns when a tick has something to do again, in ms since the
 * epoch, if nothing is written before.
 */
export type Ticking = (all: boolean, tick: (all: boolean) => Promise<number>) => Promise<void>;

/**
 * How long no process must have written before ticks are left out, in ms. A write ends seconds after its mark. An upgrade
 * takes longer: until it ends, functions of an earlier release write without marks.
 */
const STILL = 15 * 60_000;
/** The longest time without a complete tick is one such span, in ms. */
const SPAN = 2 * 60 * 60_000;

/**
 * Creates the schedule of a process. It leaves out ticks in quiet times: then a tick reads only the mark. A quiet time
 * begins after a complete tick without work. It ends when something is due by its age, when a process marks that it
 * writes, at the end of the span, and with this process.
 */
export function whileDue({ table, clock }: QuietTimesOptions): Ticking {
  let quiet = { mark: 0, until: 0 };
  return async (all, tick) => {
    const now = clock.now();
    const mark = await readActivity(table);
    if (!all && mark === quiet.mark && now < quiet.until) return;
    const isOver = mark === quiet.mark;
    quiet = { mark: 0, until: 0 };
    // A deployment in which nothing was written since the upgrade has no mark.
    if (mark === undefined) await createWriteMark(clock)(table);
    const due = await tick(all || isOver);
    if (mark === undefined || now - mark < STILL || due <= clock.now()) return;
    quiet = { mark, until: Math.min(due, (Math.floor(now / SPAN) + 1) * SPAN) };
  };
}
