import { applyMergePatch, isJsonObject, type JsonObject, type JsonValue } from '../../store/index.ts';
import { PatchSyntaxError, UnsupportedPatchError } from './errors.ts';
import { applyJsonPatch } from './json-patch.ts';
import { parsePatch } from './parse-patch.ts';
import { strategicMerge } from './strategic-merge.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json';
/** Server-side apply: no patch of this room, but one of those that objects take. */
export const APPLY_PATCH = 'application/apply-patch+yaml';

/** The resource type of the object under the patch. Only a built-in one has merge keys to merge lists by. */
export interface PatchType {
  readonly group: string;
  readonly kind: string;
  readonly builtin: boolean;
  readonly resource: string;
}

export interface PatchOptions {
  /** The request's `Content-Type`; parameters are ignored. */
  readonly contentType: string;
  /** The request's body, its size already bounded by the caller. */
  readonly patch: Uint8Array;
  readonly target: JsonObject;
  readonly type: PatchType;
}

/**
 * The target after the patch. All or nothing: throws `PatchSyntaxError` (400), `PatchFailedError` (422) or
 * `UnsupportedPatchError` (415). Leaves `target` as it is; the result may share structure with it.
 *
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#patch-and-apply
 */
export function applyPatch(options: PatchOptions): JsonObject {
  const merge = strategyFor(options.contentType, options.type);
  return merge(options.target, parsePatch(options.patch));
}

type Strategy = (target: JsonObject, patch: JsonValue) => JsonObject;

function strategyFor(contentType: string, type: PatchType): Strategy {
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType === JSON_PATCH) return applyJsonPatch;
  if (mediaType === MERGE_PATCH) return mergeObjects;
  if (mediaType === STRATEGIC_MERGE_PATCH && type.builtin) {
    return (target, patch) => strategicMerge(target, objectIn(patch), type);
  }
  const supported = [JSON_PATCH, MERGE_PATCH, APPLY_PATCH, ...(type.builtin ? [STRATEGIC_MERGE_PATCH] : [])];
  throw new UnsupportedPatchError(refusal(mediaType, type), supported);
}

function refusal(mediaType: string | undefined, type: PatchType): string {
  if (mediaType === STRATEGIC_MERGE_PATCH) {
    const resource = type.group === '' ? type.resource : `${type.resource}.${type.group}`;
    return `${resource} has no merge keys, so it cannot be patched with ${STRATEGIC_MERGE_PATCH}`;
  }
  return 'the body of the request was in an unknown format';
}

function mergeObjects(target: JsonObject, patch: JsonValue): JsonObject {
  const merged = applyMergePatch(target, objectIn(patch));
  return objectIn(merged);
}

function objectIn(patch: JsonValue): JsonObject {
  if (isJsonObject(patch)) return patch;
  throw new PatchSyntaxError('error decoding patch: a merge patch must be a JSON object');
}
