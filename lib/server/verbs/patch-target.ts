import type { JsonObject } from '../../json/index.ts';
import {
  applyPatch,
  JsonPatchFailedError,
  PatchFailedError,
  type PatchOptions,
  PatchSyntaxError,
  UnknownPatchError,
  UnsupportedPatchError,
} from '../../kubernetes/patch/index.ts';
import { badRequest, PatchRefusal, unknownPatch, unsupportedMediaType } from '../status/index.ts';

/**
 * The target after the patch.
 * @throws ApiError 400, 415, 422
 */
export function patchTarget(options: PatchOptions): JsonObject {
  try {
    return applyPatch(options);
  } catch (error) {
    throw patchRefusal(error);
  }
}

/** Refuses a patch that fits no object. It runs before the object is read: 415 and 400 come before 404. */
export function refuseUnreadable(patch: Omit<PatchOptions, 'target'>): void {
  try {
    applyPatch({ ...patch, target: {} });
  } catch (error) {
    if (!(error instanceof PatchFailedError)) throw patchRefusal(error);
  }
}

/** Maps errors of patches. It is apart from other errors, so that only requests with a patch load the patch code. */
function patchRefusal(error: unknown): unknown {
  if (error instanceof UnknownPatchError) return unknownPatch();
  if (error instanceof UnsupportedPatchError) return unsupportedMediaType(error.message);
  if (error instanceof PatchSyntaxError) return badRequest(error.message);
  if (error instanceof JsonPatchFailedError) return new PatchRefusal(error.message, error.detail);
  return error instanceof PatchFailedError ? new PatchRefusal(error.message) : error;
}
