import { type JsonObject, metadataOf, objectAt } from '../../json/index.ts';
import { APPLY_PATCH } from '../../kubernetes/patch/index.ts';
import {
  apiVersionOf,
  type ResourceType,
  SCALE,
  scaleOf,
  withReplicas,
} from '../../kubernetes/resource-types/index.ts';
import { type ObjectState, toObject } from '../../store/index.ts';
import {
  type Answer,
  type Call,
  mediaTypeOf,
  readBody,
  readDryRun,
  readManager,
  refuseForce,
} from '../http/index.ts';
import { decodeSent, nextState, trackFields } from '../objects/index.ts';
import { patchOf } from './patch-object.ts';
import { patchTarget } from './patch-target.ts';
import { decodeScale, mutatedScale, writeScale } from './write-scale.ts';

/** PUT of `/scale`: changes only the number of replicas that the object wants. */
export async function updateScale(call: Call): Promise<Answer> {
  const { request, route } = call;
  const dryRun = readDryRun(request.query.getAll('dryRun'), 'UpdateOptions');
  const sent = await readBody(request, { apiVersion: apiVersionOf(SCALE), kind: SCALE.kind });
  const { body } = await decodeSent({ ...sent, type: SCALE, namespace: route.namespace });
  const desired = decodeScale(body, route);
  const manager = readManager(request, 'UpdateOptions');
  return changeScale(call, { dryRun, manager, desiredOf: () => desired });
}

/** PATCH of `/scale`: patches the Scale that GET shows. */
export async function patchScale(call: Call): Promise<Answer> {
  const { request, route } = call;
  if (mediaTypeOf(request) === APPLY_PATCH) return (await import('./apply-scale.ts')).applyScale(call);
  refuseForce(request.query);
  const dryRun = readDryRun(request.query.getAll('dryRun'), 'PatchOptions');
  const patch = await patchOf(request, SCALE);
  const desiredOf = (target: JsonObject) => decodeScale(patchTarget({ ...patch, target }), route);
  const manager = readManager(request, 'PatchOptions');
  return changeScale(call, { dryRun, manager, desiredOf });
}

interface ScaleChange {
  readonly dryRun: boolean;
  readonly manager: string;
  /** Returns the wanted Scale, from the current one. */
  desiredOf(scale: JsonObject): JsonObject;
}

async function changeScale(call: Call, { dryRun, manager, desiredOf }: ScaleChange): Promise<Answer> {
  const { options, route } = call;
  const tracking = await trackFields({ route, manager, clock: options.clock });
  const mutationOf = async (current: ObjectState) => {
    const scale = desiredOf(scaleOf(route.type, toObject(current)));
    const desired = withScale(route.type, current, await mutatedScale(call, current, { scale, dryRun }));
    return tracking.changed(current, await nextState({ ...route, subresource: '' }, current, desired));
  };
  return writeScale(call, { dryRun, mutationOf });
}

/** The object with the replicas of the Scale, and with its uid and resourceVersion, which must be the object's. */
function withScale(type: ResourceType, { body, rv }: ObjectState, scale: JsonObject): JsonObject {
  const { uid = '', resourceVersion } = metadataOf(scale);
  const { replicas = 0 } = objectAt(scale.spec);
  return {
    ...withReplicas(type, body, replicas),
    metadata: { ...metadataOf(body), uid, resourceVersion: resourceVersion || String(rv) },
  };
}
