import type { JsonObject } from '../../json/index.ts';
import { mapBounded, TIMING } from '../../platform/index.ts';
import { releaseOf } from '../../server/index.ts';
import {
  type Dependent,
  dependentsOf,
  FOREGROUND_FINALIZER,
  type GcTask,
  ORPHAN_FINALIZER,
  ownerReferencesOf,
  sweeps,
  type WriteOutcome,
} from '../../store/index.ts';
import { collectDependent, orphanDependent, writeAndTell } from './collect-dependent.ts';
import type { CollectOptions } from './collect-options.ts';
import { OwnerVerdicts } from './owner-verdicts.ts';
import { stateNow } from './state-now.ts';

const AT_ONCE = 4;

/**
 * Handles the dependents of an owner that is deleted or being deleted. Returns whether the GC task is done. If
 * something else still holds a dependent that the owner waits for, the owner is checked again.
 *
 *   gone         each dependent is collected: deleted, if this was its last owner
 *   foreground   the same; when no dependent that blocks the owner is left, the owner is deleted
 *   orphan       each dependent stays without the reference, and the owner is deleted; this is done twice, with a
 *                grace in between, for a dependent whose write was under way when the owner was marked
 */
export async function checkDependents(options: CollectOptions, look: GcTask): Promise<boolean> {
  const owner = await stateNow(options.store, look.collection, look.name);
  if (owner === undefined || owner.uid !== look.uid) {
    await collectAll(options, look, 'gone');
    return true;
  }
  const sweep = sweeps(owner.body);
  if (sweep === 'orphan') {
    await orphanAll(options, look);
    await options.clock.sleep(TIMING.grace);
    await orphanAll(options, look);
    await release(options, look, ORPHAN_FINALIZER);
  } else if (sweep === 'foreground') {
    await collectAll(options, look, 'waiting');
    if (await isBlocked(options, look)) return false;
    const { kind } = await release(options, look, FOREGROUND_FINALIZER);
    if (kind === 'delete') await lookAtOwnersThatWait(options, look, owner.body);
  }
  return true;
}

function collectAll(options: CollectOptions, look: GcTask, verdict: 'gone' | 'waiting'): Promise<void> {
  const verdicts = new OwnerVerdicts(options, { ...look, verdict });
  return eachDependent(options, look, (dependent) => collectDependent(options, dependent, verdicts));
}

function orphanAll(options: CollectOptions, look: GcTask): Promise<void> {
  return eachDependent(options, look, (dependent) => orphanDependent(options, dependent, look.uid));
}

/** Handles all dependents, and then throws the first failure. */
async function eachDependent(
  { table }: CollectOptions,
  { uid }: GcTask,
  handle: (dependent: Dependent) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for await (const page of dependentsOf(table, uid)) {
    await mapBounded(page, AT_ONCE, (dependent) =>
      handle(dependent).catch((error: unknown) => {
        failures.push(error);
      }),
    );
  }
  if (failures.length > 0) throw failures[0];
}

/** Whether a dependent that blocks the owner's deletion still exists. Objects of another namespace do not block. */
async function isBlocked({ table }: CollectOptions, { uid, name: owner }: GcTask): Promise<boolean> {
  for await (const page of dependentsOf(table, uid)) {
    const isNear = ({ name }: Dependent) => owner.namespace === '' || owner.namespace === name.namespace;
    if (page.some((dependent) => dependent.blocks && isNear(dependent))) return true;
  }
  return false;
}

function release(options: CollectOptions, look: GcTask, finalizer: string): Promise<WriteOutcome> {
  return writeAndTell(options, look, (current) => {
    const isMeant = current?.uid === look.uid && sweeps(current.body) !== undefined;
    return isMeant ? releaseOf(current.body, finalizer, look.collection) : { kind: 'none' };
  });
}

/**
 * Checks the owners that wait for an object that was just deleted. Otherwise the owners would wait for the next `tick`,
 * up to a minute.
 */
async function lookAtOwnersThatWait(options: CollectOptions, look: GcTask, body: JsonObject): Promise<void> {
  for (const { apiVersion, kind, name, uid } of ownerReferencesOf(body)) {
    const target = options.resources.ofKind(apiVersion, kind);
    if (target === undefined) continue;
    const namespace = target.namespaced ? look.name.namespace : '';
    const owner = { collection: target.collection, name: { namespace, name }, uid };
    const state = await options.store.get(owner.collection, owner.name);
    const waits = state?.uid === uid && sweeps(state.body) === 'foreground';
    if (waits) await checkDependents(options, { ...owner, what: 'dependents' });
  }
}
