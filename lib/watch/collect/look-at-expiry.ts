import { hasDependents, type Look, type Mutation, type ObjectState } from '../../store/index.ts';
import { isTerminating } from '../is-terminating.ts';
import { writeAndTell } from './collect-dependent.ts';
import type { CollectOptions } from './collect-options.ts';
import { expiryOf } from './expiry-of.ts';
import { removalOf } from './removal.ts';

/**
 * Deletes an object whose time is over, after its dependents. It is read again before: what was changed since expires
 * at another time, for which whoever changed it asked for another look, or never.
 */
export async function lookAtExpiry(options: CollectOptions, look: Look): Promise<void> {
  const { table, clock } = options;
  const { collection } = look;
  await writeAndTell(options, look, async (current: ObjectState | undefined): Promise<Mutation> => {
    if (current === undefined || current.uid !== look.uid || isTerminating(current)) return { kind: 'none' };
    const expires = expiryOf(collection, current.body);
    if (expires === undefined || expires > clock.now()) return { kind: 'none' };
    const foreground = await hasDependents(table, current.uid);
    return removalOf(current.body, { collection, clock, foreground });
  });
}
