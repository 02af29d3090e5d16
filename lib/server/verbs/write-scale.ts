import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import { type ResourceType, SCALE, scaleOf } from '../../kubernetes/resource-types/index.ts';
import { type Mutation, type ObjectState, toObject } from '../../store/index.ts';
import {
  type Answer,
  announceCommit,
  type Call,
  collectionOfCall,
  type MutatedObject,
  negotiate,
  objectNameOf,
  type ResourceRoute,
} from '../http/index.ts';
import { decodeObject, decodeSent, refuseOtherName, spelledMutation, typedState } from '../objects/index.ts';
import { type ApiError, badRequest, invalid, notFound } from '../status/index.ts';

export interface ScaleWrite {
  readonly dryRun: boolean;
  /** Decides the change. `current` is as it would be stored today. */
  mutationOf(current: ObjectState): Mutation | Promise<Mutation>;
}

/** Writes the object that a Scale belongs to, and shows its Scale. @throws ApiError 404 */
export async function writeScale(call: Call, { dryRun, mutationOf }: ScaleWrite): Promise<Answer> {
  const { options, request, route } = call;
  const { type, name } = route;
  negotiate(request.headers.accept);
  const collection = collectionOfCall(call);
  const change = async (current: ObjectState | undefined) => {
    if (current === undefined) throw notFound(type, name);
    const state = await typedState(type, current);
    const mutation = await mutationOf(state);
    const scaled = mutation.kind === 'none' ? state : { ...state, body: mutation.body };
    await call.decide?.(() => ({
      operation: 'UPDATE',
      object: scaleOf(type, toObject(scaled)),
      oldObject: scaleOf(type, toObject(state)),
      dryRun,
    }));
    return spelledMutation(type, mutation);
  };
  const outcome = await options.store.write(collection, objectNameOf(call), change, { dryRun });
  await announceCommit(options, collection, outcome, dryRun);
  const state = outcome.after ?? outcome.before;
  return { status: 200, value: state === undefined ? {} : scaleOf(type, toObject(state)) };
}

/**
 * The Scale that a client wants, as mutating policies and webhooks change it. Call it inside the change.
 *
 * @throws ApiError a rule denies the write, or fails, or makes no Scale of it
 */
export async function mutatedScale(
  call: Call,
  current: ObjectState,
  { scale, dryRun }: { readonly scale: JsonObject; readonly dryRun: boolean },
): Promise<JsonObject> {
  const { route } = call;
  const write = () => {
    const oldObject = scaleOf(route.type, toObject(current));
    return { operation: 'UPDATE', object: scale, oldObject, dryRun } as const;
  };
  const complete: MutatedObject = async (value, told) => {
    const { body, faults } = await decodeSent({ type: SCALE, namespace: route.namespace, value });
    told?.(faults);
    return decodeScale(body, route);
  };
  return (await call.mutate?.('UPDATE', write, complete)) ?? scale;
}

/** @throws ApiError 400 the value is not a Scale or belongs to another object; 422 the replicas are negative */
export function decodeScale(value: JsonValue, { type, name, namespace }: ResourceRoute): JsonObject {
  const scale = decodeObject(value, SCALE, namespace);
  refuseOtherName(scale, name);
  const { replicas = 0 } = isJsonObject(scale.spec) ? scale.spec : {};
  if (typeof replicas !== 'number' || !Number.isInteger(replicas)) {
    throw badRequest(
      `Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal ${typeof replicas} into Go struct field ScaleSpec.spec.replicas of type int32`,
    );
  }
  if (replicas < 0) {
    if (type.custom !== undefined) throw tooFew(type, name, replicas);
    const detail = 'must be greater than or equal to 0';
    throw invalid(SCALE, name, [{ type: 'Invalid', field: 'spec.replicas', value: replicas, detail }]);
  }
  return scale;
}

function tooFew(type: ResourceType, name: string, value: number): ApiError {
  const field = `.${type.scale?.paths?.replicas}`;
  const detail = 'should be a non-negative integer';
  return invalid(type, name, [{ type: 'Invalid', field, value, detail }]);
}
