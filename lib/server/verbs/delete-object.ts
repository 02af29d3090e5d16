import type { ObjectName } from '../../json/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import { type Mutation, type ObjectState, toObject, type WriteOutcome } from '../../store/index.ts';
import { type Answer, announceCommit, type Call, collectionOfCall, objectNameOf } from '../http/index.ts';
import { IMMORTAL_NAMESPACES, typedState } from '../objects/index.ts';
import { presenterOf } from '../show/index.ts';
import { conflict, forbidden, notFound, successStatus } from '../status/index.ts';
import {
  type DeleteOptions,
  deletionWarnings,
  isNamespaces,
  readDeleteOptions,
  removalOf,
} from './removal/index.ts';

/** The priority classes of system pods, which are never deleted. */
const IMMORTAL_PRIORITIES = ['system-node-critical', 'system-cluster-critical'];

/**
 * DELETE of one object. Deletes it at once, or marks it with a deletionTimestamp while finalizers hold it. An object is
 * also marked if its dependents must be processed first. The answer for a marked object is the object. The answer for a
 * deleted object is a Status, except for the types whose DELETE returns the object.
 */
export async function deleteObject(call: Call): Promise<Answer> {
  const present = await presenterOf(call);
  const { type, name } = call.route;
  const wanted = await readDeleteOptions(call);
  const outcome = await removeObject(call, objectNameOf(call), wanted);
  const warnings = deletionWarnings(type, wanted);
  const state = outcome.after ?? outcome.before;
  if (state !== undefined && (type.answersDeleted === true || outcome.kind !== 'delete')) {
    return { status: 200, value: present.object(toObject(state)), warnings };
  }
  const { group, resource } = type;
  const details = { name, group: group || undefined, kind: resource, uid: state?.uid };
  return { status: 200, value: successStatus(details), warnings };
}

/**
 * Deletes or marks one object of the URL's type, after `prepare` changed it.
 * @throws ApiError 404, 403 for a namespace that is never deleted, 409 when a precondition does not hold, 422 a policy
 * denies it
 */
export async function removeObject(
  call: Call,
  object: ObjectName,
  wanted: DeleteOptions,
  prepare: (current: ObjectState) => ObjectState = (current) => current,
): Promise<WriteOutcome> {
  const { options, route } = call;
  const { name } = object;
  const { type } = route;
  const collection = collectionOfCall(call);
  refuseImmortal(type, name);
  const { dryRun } = wanted;
  const change = async (current: ObjectState | undefined): Promise<Mutation> => {
    if (current === undefined) throw notFound(type, name);
    refusePreconditions(type, current, wanted);
    const mutation = removalOf(type, prepare(current), { wanted, now: options.clock.now() });
    // Policies have decided about an eviction itself, and do not see a further DELETE of a terminating pod.
    const isDecided = route.subresource === '' && (mutation.kind !== 'none' || type.kind !== 'Pod');
    if (isDecided) await decideRemoval(call, current, wanted);
    return mutation;
  };
  const outcome = await options.store.write(collection, object, change, { dryRun });
  await announceCommit(options, collection, outcome, dryRun);
  return outcome;
}

async function decideRemoval(call: Call, current: ObjectState, wanted: DeleteOptions): Promise<void> {
  const { dryRun, uid, resourceVersion, policy, grace } = wanted;
  const preconditions = {
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  const describe = async () => ({
    operation: 'DELETE' as const,
    name: current.name.name,
    oldObject: toObject(await typedState(call.route.type, current)),
    dryRun,
    options: {
      ...(grace !== undefined && { gracePeriodSeconds: grace }),
      ...(Object.keys(preconditions).length > 0 && { preconditions }),
      ...(policy !== undefined && { propagationPolicy: policy }),
    },
  });
  // Mutating webhooks can deny a DELETE too.
  await call.mutate?.('DELETE', describe, async (object) => object);
  await call.decide?.(describe);
}

function refuseImmortal(type: ResourceType, name: string): void {
  if (isNamespaces(type) && IMMORTAL_NAMESPACES.includes(name)) {
    throw forbidden(type, name, 'this namespace may not be deleted');
  }
  if (type.kind === 'PriorityClass' && type.custom === undefined && IMMORTAL_PRIORITIES.includes(name)) {
    throw forbidden(type, name, 'this is a system priority class and cannot be deleted');
  }
}

/**
 * Refuses wrong preconditions. As in Kubernetes, messages name the kind. For a namespace they are the messages of its
 * own storage.
 */
function refusePreconditions(type: ResourceType, current: ObjectState, wanted: DeleteOptions): void {
  const { uid, resourceVersion } = wanted;
  const { name } = current.name;
  const kind = { group: type.group, resource: type.kind };
  if (uid !== undefined && uid !== current.uid) {
    if (isNamespaces(type)) {
      const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.uid}`;
      throw conflict(type, name, why);
    }
    throw conflict(
      kind,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${current.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== String(current.rv)) {
    throw conflict(
      kind,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${current.rv}). The object might have been modified`,
    );
  }
}
