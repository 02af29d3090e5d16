import { isTerminating } from '../../coordination/index.ts';
import { expiryOf, isProtected, protectionOf } from '../../kubernetes/lifecycle/index.ts';
import { releaseOf, removalOf, withoutGrace } from '../../server/index.ts';
import { type GcTask, hasDependents, type Mutation, type ObjectState } from '../../store/index.ts';
import { writeAndTell } from './collect-dependent.ts';
import type { CollectOptions } from './collect-options.ts';
import { isUsed } from './protections.ts';

/**
 * Deletes an object that has expired, after its dependents. An object that was already deleted is removed now in two
 * cases:
 *
 * - It is a pod whose grace is over. There may be no kubelet that confirms that it has stopped.
 * - It is protected, and no other object uses it any more.
 *
 * The object is read again first. If it changed since, it expires at another time, or never; that write put its own
 * task. Returns whether the GC task is done: an object that is still used is checked again.
 */
export async function checkExpiry(options: CollectOptions, look: GcTask): Promise<boolean> {
  const { table, clock, store } = options;
  const { collection } = look;
  let isHeld = false;
  await writeAndTell(options, look, async (current: ObjectState | undefined): Promise<Mutation> => {
    isHeld = false;
    if (current === undefined || current.uid !== look.uid) return { kind: 'none' };
    const expires = expiryOf(collection, current.body);
    if (expires === undefined || expires > clock.now()) return { kind: 'none' };
    const finalizer = protectionOf(collection);
    if (finalizer !== undefined && isProtected(collection, current.body)) {
      isHeld = await isUsed(store, collection, current);
      return isHeld ? { kind: 'none' } : releaseOf(current.body, finalizer, collection);
    }
    if (isTerminating(current)) return withoutGrace(current.body, collection);
    const foreground = await hasDependents(table, current.uid);
    return removalOf(current.body, { collection, clock, foreground });
  });
  return !isHeld;
}
