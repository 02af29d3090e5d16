import { metadataOf } from '../../json/index.ts';
import { apiVersionOf } from '../../kubernetes/resource-types/index.ts';
import { type Mutation, type ObjectState, toObject } from '../../store/index.ts';
import {
  type Answer,
  announceCommit,
  type Call,
  collectionOfCall,
  objectNameOf,
  readBody,
  readDryRun,
  readFieldValidation,
  readManager,
} from '../http/index.ts';
import {
  decodeSent,
  judgeFaults,
  nextState,
  otherUid,
  refuseOtherName,
  sentWarnings,
  spelledMutation,
  trackFields,
  typedState,
  writtenWarnings,
} from '../objects/index.ts';
import { presenterOf } from '../show/index.ts';
import { notFound } from '../status/index.ts';
import { admitChanges, mutated } from './admitting/index.ts';

/** PUT of an object, or of its status. Without a resourceVersion the last writer wins. */
export async function updateObject(call: Call): Promise<Answer> {
  const { request, route } = call;
  const { type, name, namespace } = route;
  const dryRun = readDryRun(request.query.getAll('dryRun'), 'UpdateOptions');
  const validation = readFieldValidation(request.query, 'UpdateOptions');
  const sent = await readBody(request, { apiVersion: apiVersionOf(type), kind: type.kind });
  const decoded = await decodeSent({ ...sent, type, namespace });
  const { body: desired } = decoded;
  refuseOtherName(desired, name);
  const warnings = [...judgeFaults(decoded, type, validation), ...sentWarnings(type, desired)];
  const manager = readManager(request, 'UpdateOptions');
  const tracking = await trackFields({ route, manager, clock: call.options.clock });
  const change = async (current: ObjectState) => {
    const wanted = await mutated(call, { current, object: desired, dryRun });
    return tracking.changed(current, await nextState(route, current, wanted), wanted);
  };
  const { uid = '' } = metadataOf(desired);
  let missing: Error | undefined;
  const absent = () => {
    missing ??= uid === '' ? notFound(type, name) : otherUid(route, uid);
    return missing;
  };
  const update = () => changeObject(call, { dryRun, warnings: () => warnings, change, absent });
  try {
    return await update();
  } catch (error) {
    if (missing === undefined || error !== missing) throw error;
    const { createByUpdate } = await import('./create-by-update.ts');
    return createByUpdate(call, { decoded, tracking, dryRun, warnings, missing, update });
  }
}

export interface ChangeOptions {
  readonly dryRun: boolean;
  /** The warnings about what the client sent. Called after the change is decided. */
  warnings(): readonly string[];
  /** Decides the change. Called again if another writer was faster. `current` is as it would be stored today. */
  change(current: ObjectState): Mutation | Promise<Mutation>;
  /** The error if the object does not exist; without this function, a 404. */
  absent?(): Error;
}

/**
 * Changes the object that the URL names, and shows the result. PUT and PATCH share this function.
 * @throws ApiError 404
 */
export async function changeObject(call: Call, wanted: ChangeOptions): Promise<Answer> {
  const { options, route } = call;
  const present = await presenterOf(call);
  const collection = collectionOfCall(call);
  const changes = admitChanges(call, wanted.dryRun);
  const changeExisting = async (current: ObjectState | undefined) => {
    if (current === undefined) throw wanted.absent?.() ?? notFound(route.type, route.name);
    const state = await typedState(route.type, current);
    return spelledMutation(route.type, await changes.admit(state, await wanted.change(state)));
  };
  const { dryRun } = wanted;
  const outcome = await options.store.write(collection, objectNameOf(call), changeExisting, { dryRun });
  await announceCommit(options, collection, outcome, dryRun);
  await changes.tell();
  const state = outcome.after ?? outcome.before;
  const written = await writtenWarnings(route.type, route.subresource, outcome);
  return {
    status: 200,
    value: present.object(state === undefined ? {} : toObject(state)),
    warnings: [...wanted.warnings(), ...written],
  };
}
