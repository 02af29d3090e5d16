import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  metadataOf,
  type ObjectState,
  objectAt,
  toObject,
} from '../../store/index.ts';
import {
  type Answer,
  announceCommit,
  type Call,
  collectionOfCall,
  negotiate,
  objectNameOf,
  type ResourceRoute,
  readBody,
  readDryRun,
} from '../http/index.ts';
import { decodeObject, nextState, refuseOtherName, spelledMutation, typedState } from '../objects/index.ts';
import { applyPatch } from '../patch/index.ts';
import { apiVersionOf, SCALE, scaleOf } from '../resource-types/index.ts';
import { badRequest, invalid, notFound } from '../status/index.ts';
import { patchOf } from './patch-object.ts';

/** GET of `/scale`. */
export async function getScale(call: Call): Promise<Answer> {
  const { options, request, route } = call;
  negotiate(request.headers.accept);
  const state = await options.store.get(collectionOfCall(call), objectNameOf(call));
  if (state === undefined) throw notFound(route.type, route.name);
  return { status: 200, value: scaleOf(route.type, toObject(state)) };
}

/** PUT of `/scale`: changes how many replicas the object wants, and nothing else. */
export async function updateScale(call: Call): Promise<Answer> {
  const { request, route } = call;
  const dryRun = readDryRun(request.query.getAll('dryRun'), 'UpdateOptions');
  const { value } = await readBody(request, { apiVersion: apiVersionOf(SCALE), kind: SCALE.kind });
  const desired = decodeScale(value, route);
  return changeScale(call, { dryRun, desiredOf: () => desired });
}

/** PATCH of `/scale`, of the Scale as GET shows it. */
export async function patchScale(call: Call): Promise<Answer> {
  const { request, route } = call;
  const dryRun = readDryRun(request.query.getAll('dryRun'), 'PatchOptions');
  const patch = patchOf(request, SCALE);
  const desiredOf = (target: JsonObject) => decodeScale(applyPatch({ ...patch, target }), route);
  return changeScale(call, { dryRun, desiredOf });
}

interface ScaleChange {
  readonly dryRun: boolean;
  /** The Scale that is wanted, from the one that there is. */
  desiredOf(scale: JsonObject): JsonObject;
}

async function changeScale(call: Call, { dryRun, desiredOf }: ScaleChange): Promise<Answer> {
  const { options, request, route } = call;
  const { type, name } = route;
  negotiate(request.headers.accept);
  const collection = collectionOfCall(call);
  const change = async (current: ObjectState | undefined) => {
    if (current === undefined) throw notFound(type, name);
    const state = await typedState(type, current);
    const desired = desiredOf(scaleOf(type, toObject(state)));
    const next = nextState({ ...route, subresource: '' }, state, withScale(state.body, desired));
    return spelledMutation(type, next);
  };
  const outcome = await options.store.write(collection, objectNameOf(call), change, { dryRun });
  await announceCommit(options, collection, outcome, dryRun);
  const state = outcome.after ?? outcome.before;
  return { status: 200, value: state === undefined ? {} : scaleOf(type, toObject(state)) };
}

/** The object with the replicas of the Scale, if it is the object that the Scale is of. */
function withScale(body: JsonObject, scale: JsonObject): JsonObject {
  const { uid = '', resourceVersion = '' } = metadataOf(scale);
  const { replicas = 0 } = objectAt(scale.spec);
  return {
    ...body,
    metadata: { ...metadataOf(body), uid, resourceVersion },
    spec: { ...objectAt(body.spec), replicas },
  };
}

/** @throws ApiError 400 for what is no Scale, or of another object; 422 for fewer than no replicas */
function decodeScale(value: JsonValue, { name, namespace }: ResourceRoute): JsonObject {
  const scale = decodeObject(value, SCALE, namespace);
  refuseOtherName(scale, name);
  const { replicas = 0 } = isJsonObject(scale.spec) ? scale.spec : {};
  if (typeof replicas !== 'number' || !Number.isInteger(replicas)) {
    throw badRequest(
      `Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal ${typeof replicas} into Go struct field ScaleSpec.spec.replicas of type int32`,
    );
  }
  if (replicas < 0) {
    const detail = 'must be greater than or equal to 0';
    throw invalid(SCALE, name, [{ type: 'Invalid', field: 'spec.replicas', value: replicas, detail }]);
  }
  return scale;
}
