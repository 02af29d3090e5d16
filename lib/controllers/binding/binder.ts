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
   * Binds the pods that wait for a node, as far as nodes fit. Continues while it may try further pods within the time.
   * It finds its work in the journals. It begins no round that might not end in time. Returns whether no work is left
   * that it could do at once.
   *
   * @throws {LeaseHeldError} another binder was at work, or took over: a later invocation must check again.
   */
  bind(request: BindRequest): Promise<boolean>;
}

/**
 * The longest time of a round, in ms. A round begins no later than its last moment, and ends before the function
 * does.
 */
const LAST_ROUND = TIMING.placement - TIMING.placementLastRound;

/**
 * Creates a binder. Keep one per process: it caches the world. An invocation without work does not load the placement
 * code.
 */
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

/** Whether the last binder read all changes, with the same scheduler settings, and no pod is due. */
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
