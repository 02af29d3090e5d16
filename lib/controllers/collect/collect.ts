import { goOn } from '../../delivery/index.ts';
import { mapBounded, TIMING } from '../../platform/index.ts';
import {
  collectChunks,
  dueGcTasks,
  endGcTask,
  nameKey,
  postponeGcTask,
  type StoredGcTask,
} from '../../store/index.ts';
import { checkDependents } from './check-dependents.ts';
import { checkExpiry } from './check-expiry.ts';
import { collectDependent } from './collect-dependent.ts';
import type { CollectOptions } from './collect-options.ts';
import { OwnerVerdicts } from './owner-verdicts.ts';

export interface CollectMessage {
  readonly shard: number;
  readonly hops?: number;
}

const PAGE = 200;
const AT_ONCE = 4;
/**
 * In ms: the time until an object that others use is checked again, by the next tick or the one after it.
 */
const PATIENCE = 30_000;

/**
 * Does the GC tasks of one shard that are due. Each task's row stays until the task is done, so a crash repeats it. A
 * failed task delays no other task, and runs again after a later `tick`.
 *
 * An object that names new owners is judged one grace after its task was first read:
 *
 * 1. By then, all of the object's rows are readable.
 * 2. A deletion of an owner that is decided later finds that the owner has a dependent (`writeObject`).
 * 3. A deletion that is decided earlier is seen by `stateNow`.
 */
export async function collect(options: CollectOptions, { shard, hops = 0 }: CollectMessage): Promise<void> {
  const { table, clock } = options;
  let after: StoredGcTask | undefined;
  do {
    const looks = await dueGcTasks(table, { shard, until: clock.now(), limit: PAGE, after });
    const atOwners = looks.filter(({ what }) => what === 'owners');
    const others = looks.filter(({ what }) => what !== 'owners');
    await mapBounded(others, AT_ONCE, (look) => have(options, look, () => lookAt(options, look)));
    if (atOwners.length > 0) {
      await clock.sleep(TIMING.grace);
      const verdicts = new OwnerVerdicts(options);
      await mapBounded(atOwners, AT_ONCE, (look) =>
        have(options, look, async () => {
          await collectDependent(options, look, verdicts);
          return true;
        }),
      );
    }
    after = looks.length === PAGE ? looks.at(-1) : undefined;
    if (table.deadline?.aborted) return goOn(options, { kind: 'collect', shard, hops });
  } while (after !== undefined);
}

/**
 * Does a GC task of dependents, expiry or chunks, and returns whether it is done. An object that is still used gets a later
 * task instead, so that it does not count as lag.
 */
async function lookAt(options: CollectOptions, look: StoredGcTask): Promise<boolean> {
  if (look.what === 'dependents') return checkDependents(options, look);
  if (look.what === 'chunks') {
    const task = { ...look, name: nameKey(look.name), chunks: look.chunks ?? '' };
    await collectChunks(options.table, task, options.clock.now());
    return true;
  }
  if (await checkExpiry(options, look)) return true;
  await postponeGcTask(options.table, look, options.clock.now() + PATIENCE);
  return false;
}

async function have(
  { table, logger }: CollectOptions,
  look: StoredGcTask,
  work: () => Promise<boolean>,
): Promise<void> {
  try {
    if (await work()) await endGcTask(table, look);
  } catch (error) {
    const { key: _key, ...told } = look;
    logger.warn('a GC task failed; it runs again after a later tick', { ...told, error });
  }
}
