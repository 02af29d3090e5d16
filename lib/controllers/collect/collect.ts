import { goOn } from '../../delivery/index.ts';
import { mapBounded, TIMING } from '../../platform/index.ts';
import { dueGcTasks, endGcTask, postponeGcTask, type StoredGcTask } from '../../store/index.ts';
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
/** Until what others use is looked at again, in ms: with the schedule's next check, or the one after it. */
const PATIENCE = 30_000;

/**
 * Has the looks of one shard that are due. Each is owed until it was had, so a crash repeats it; one that fails holds up
 * no other, and the schedule has it again.
 *
 * An object that names new owners is judged a grace after its look was first seen. By then all of its rows are readable;
 * so a deletion of an owner that is not decided by then finds that it has a dependent (`writeObject`), and one that is
 * decided is seen (`stateNow`).
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

/** Answers whether the look was had. What others still use is looked at later by another: that is no arrear. */
async function lookAt(options: CollectOptions, look: StoredGcTask): Promise<boolean> {
  if (look.what === 'dependents') return checkDependents(options, look);
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
    logger.warn('a look at an object failed; the schedule has it again', { ...told, error });
  }
}
