import { type JsonObject, metadataOf } from '../../json/index.ts';
import { type Mutation, type ObjectState, refuseUnstorable, toObject } from '../../store/index.ts';
import {
  type Answer,
  announceCommit,
  type Call,
  collectionOfCall,
  objectNameOf,
  readDryRun,
} from '../http/index.ts';
import {
  type Application,
  type DecodedObject,
  decodeSent,
  type FieldTracking,
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
import { conflict, notFound } from '../status/index.ts';
import { admitChanges, mutated } from './admitting/index.ts';
import { createInNamespace, type NewObject, newInNamespace } from './create-object.ts';
import { ReadAhead } from './read-ahead.ts';
import { readApplied } from './read-applied.ts';
import { readApplier } from './read-applier.ts';

/** Attempts when other clients create and delete the object at the same time. */
const ATTEMPTS = 4;

/** One apply request. */
interface Apply {
  readonly application: Application;
  readonly tracking: FieldTracking;
  readonly dryRun: boolean;
}

/**
 * PATCH with `application/apply-patch+yaml`. The manager then owns the fields that the body names, and gives up those
 * that only its previous apply named. Creates the object if it does not exist.
 *
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/
 */
export async function applyObject(call: Call): Promise<Answer> {
  const { request, route, options } = call;
  const { manager, force } = readApplier(request);
  const dryRun = readDryRun(request.query.getAll('dryRun'), 'PatchOptions');
  const present = await presenterOf(call);
  const { body, warnings: doubled } = await readApplied(request);
  const tracking = await trackFields({ route, manager, clock: options.clock });
  const { status, outcome } = await write(call, { application: { body, force }, tracking, dryRun });
  const { type, subresource } = route;
  const written = await writtenWarnings(type, subresource, outcome);
  const warnings = [...doubled, ...sentWarnings(type, body), ...written];
  await announceCommit(options, collectionOfCall(call), outcome, dryRun);
  const state = outcome.after ?? outcome.before;
  return { status, value: present.object(state === undefined ? {} : toObject(state)), warnings };
}

async function write(call: Call, apply: Apply) {
  const { options, route } = call;
  const { dryRun } = apply;
  const changes = admitChanges(call, dryRun);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    let absent = false;
    const change = async (current: ObjectState | undefined): Promise<Mutation> => {
      absent = current === undefined;
      if (current === undefined) return { kind: 'none' };
      const state = await typedState(route.type, current);
      return spelledMutation(route.type, await changes.admit(state, await changed(call, apply, state)));
    };
    const outcome = await options.store.write(collectionOfCall(call), objectNameOf(call), change, { dryRun });
    if (!absent) {
      await changes.tell();
      return { status: 200, outcome };
    }
    if (route.subresource !== '') throw notFound(route.type, route.name);
    const ahead = new ReadAhead(call, route.name);
    const created = await createInNamespace(call, { ...(await made(call, apply, ahead)), dryRun, ahead });
    if (typeof created !== 'string') return { status: 201, outcome: created };
  }
  throw conflict(
    route.type,
    route.name,
    'other clients create and delete the object at the same time; please try again',
  );
}

async function changed(
  call: Call,
  { application, tracking, dryRun }: Apply,
  current: ObjectState,
): Promise<Mutation> {
  const { route } = call;
  const { uid = '' } = metadataOf(application.body);
  if (uid !== '' && uid !== current.uid) throw otherUid(route, uid);
  refuseUnstorable(application.body, current.body);
  const { body: desired } = await decode(call, tracking.applied(toObject(current), application));
  const wanted = await mutated(call, { current, object: desired, dryRun });
  return tracking.settled(current, await nextState(route, current, wanted));
}

async function made(
  call: Call,
  { application, tracking, dryRun }: Apply,
  ahead: ReadAhead,
): Promise<NewObject> {
  const { route, options } = call;
  const { type, name } = route;
  const { uid = '' } = metadataOf(application.body);
  if (uid !== '') {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(type, name, why);
  }
  refuseUnstorable(application.body);
  const { body: sent, emptyStatus } = await decode(call, tracking.applied(undefined, application));
  const { clock, random } = options;
  return newInNamespace(call, { type, sent, emptyStatus, clock, random, dryRun, ahead });
}

async function decode({ route }: Call, value: JsonObject): Promise<DecodedObject> {
  const { type, name, namespace } = route;
  const decoded = await decodeSent({ type, namespace, value });
  refuseOtherName(decoded.body, name);
  return decoded;
}
