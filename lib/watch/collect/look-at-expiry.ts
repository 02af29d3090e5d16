import { hasDependents, type Look, type Mutation, type ObjectState } from '../../store/index.ts';
import { isTerminating } from '../is-terminating.ts';
import { writeAndTell } from './collect-dependent.ts';
import type { CollectOptions } from './collect-options.ts';
import { expiryOf } from './expiry-of.ts';
import { removalOf, withoutGrace } from './removal.ts';

/**
 * Deletes an object whose time is over, after its dependents; a pod that was deleted before and whose grace is over goes
 * now, for there may be nobody who confirms that it has stopped. It is read again before: what was changed since expires
 * at another time, for which whoever changed it asked for another look, or never.
 */
export async function lookAtExpiry(options: CollectOptions, look: Look): Promise<void> {
  const { table, clock } = options;
  const { collection } = look;
  await writeAndTell(options, look, async (current: ObjectState | undefined): Promise<Mutation> => {
    if (current === undefined || current.uid !== look.uid) return { kind: 'none' };
    const expires = expiryOf(collection, current.body);
    if (expires === undefined || expires > clock.now()) return { kind: 'none' };
    if (isTerminating(current)) return withoutGrace(current.body, collection);
    const foreground = await hasDependents(table, current.uid);
    return removalOf(current.body, { collection, clock, foreground });
  });
}
