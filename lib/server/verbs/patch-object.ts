import { countValues, MOST_VALUES, refuseManyValues } from '../../json/index.ts';
import { loadFields } from '../../kubernetes/fields/index.ts';
import { APPLY_PATCH, type PatchOptions } from '../../kubernetes/patch/index.ts';
import { apiVersionOf, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import { type ObjectState, toObject } from '../../store/index.ts';
import {
  type Answer,
  type ApiRequest,
  type Call,
  mediaTypeOf,
  readDryRun,
  readFieldValidation,
  readManager,
  refuseForce,
} from '../http/index.ts';
import { nextState, refuseOtherName, sentWarnings, trackFields } from '../objects/index.ts';
import { mutated } from './admitting/index.ts';
import { decodePatched } from './decode-patched.ts';
import { patchTarget, refuseUnreadable } from './patch-target.ts';
import { changeObject } from './update-object.ts';

/**
 * PATCH of an existing object, or of its status. If another writer was faster, the patch is applied again to the newest
 * state. If the patch names a resourceVersion, that is a conflict instead.
 */
export async function patchObject(call: Call): Promise<Answer> {
  const { request, route, options } = call;
  if (mediaTypeOf(request) === APPLY_PATCH) return (await import('./apply-object.ts')).applyObject(call);
  const { type, name, namespace } = route;
  const dryRun = readDryRun(request.query.getAll('dryRun'), 'PatchOptions');
  const validation = readFieldValidation(request.query, 'PatchOptions');
  refuseForce(request.query);
  const manager = readManager(request, 'PatchOptions');
  const patch = await patchOf(request, type);
  const tracking = await trackFields({ route, manager, clock: options.clock });
  let warnings: readonly string[] = [];
  const change = async (current: ObjectState) => {
    const target = toObject(current);
    const patched = patchTarget({ ...patch, target });
    // An object from before the limit may have more values, and keeps them.
    refuseManyValues('the patched object', patched, Math.max(MOST_VALUES, countValues(target)));
    const decoded = await decodePatched({ ...patch, type, namespace, validation, patched });
    const { body: desired } = decoded;
    refuseOtherName(desired, name);
    warnings = [...decoded.warnings, ...sentWarnings(type, desired)];
    const wanted = await mutated(call, { current, object: desired, dryRun });
    return tracking.changed(current, await nextState(route, current, wanted), wanted);
  };
  return changeObject(call, { dryRun, warnings: () => warnings, change });
}

/**
 * The patch that a request sends for an object of the type.
 * @throws ApiError 415, 400
 */
export async function patchOf(
  request: ApiRequest,
  type: ResourceType,
): Promise<Omit<PatchOptions, 'target'>> {
  const patch = {
    contentType: request.headers['content-type'] ?? '',
    patch: request.body ?? new Uint8Array(),
    type,
    message: (await loadFields()).kind(apiVersionOf(type), type.kind),
  };
  refuseUnreadable(patch);
  return patch;
}
