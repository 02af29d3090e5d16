import { withDeadline } from '../../coordination/index.ts';
import type { Collection } from '../../json/index.ts';
import { PLACEMENT_COLLECTIONS } from '../../kubernetes/lifecycle/index.ts';
import { Mutex, TIMING } from '../../platform/index.ts';
import { FIRST_VERSION, headKey, placerKey, type Row } from '../../store/index.ts';
import type { BinderOptions, BindRequest } from './binder-options.ts';

import { chosenOf } from './chosen.ts';
import type { Placer } from './placer.ts';

export interface Binder {
  /**
   * Binds the pods that wait for a node, as far as there are nodes, and goes on while some may be tried within the time.
   * What there is to do the journals tell. No round begins that may not end in the time. Answers whether nothing is left
   * that could be done at once.
   *
   * @throws {LeaseHeldError} another binder was at work, or took over: somebody has to look again.
   */
  bind(request: BindRequest): Promise<boolean>;
}

/** What a round may take, in ms: it is begun by the last moment for one, and ends before the function does. */
const LAST_ROUND = TIMING.placement - TIMING.placementLastRound;

/** Keep one a process: it keeps the world. An invocation without work does not load the placement code. */
export function createBinder(given: BinderOptions): Binder {
  const mutex = new Mutex();
  let placer: Placer | undefined;
  return {
    bind: ({ waits, time }) => {
      const options = withDeadline(given, given.clock.deadline(time));
      const lastRound = given.clock.now() + Math.min(time - LAST_ROUND, TIMING.placementLastRound);
      return mutex.run(async () => {
        if (await isDone(options)) return true;
        placer ??= new (await import('./placer.ts')).Placer(given);
        return placer.run(options, { waits, lastRound });
      });
    },
  };
}

/** Whether the last binder had read all there is, for the same choices, and no pod is due. */
async function isDone(options: BinderOptions): Promise<boolean> {
  const { table, clock } = options;
  const rows = await table.batchGet([placerKey, ...PLACEMENT_COLLECTIONS.map(headKey)]);
  const stood = rows.find(({ pk }) => pk === placerKey.pk);
  if (stood?.read === undefined || Number(stood.due) <= clock.now()) return false;
  if (stood.chosen !== chosenOf(options)) return false;
  const read: Readonly<Partial<Record<Collection, number>>> = JSON.parse(String(stood.read));
  return PLACEMENT_COLLECTIONS.every((collection) => headIn(rows, collection) === read[collection]);
}

function headIn(rows: readonly Row[], collection: Collection): number {
  const row = rows.find(({ pk }) => pk === headKey(collection).pk);
  return Math.max(FIRST_VERSION, Number(row?.rv ?? 0));
}
