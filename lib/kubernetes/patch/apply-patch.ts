import { applyMergePatch, type JsonObject, type JsonValue } from '../../json/index.ts';
import type { Message } from '../fields/index.ts';
import { PatchFormError, PatchSyntaxError, UnknownPatchError, UnsupportedPatchError } from './errors.ts';
import { applyJsonPatch } from './json-patch.ts';
import { objectIn, parsePatch } from './parse-patch.ts';
import { strategicMerge } from './strategic-merge.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json';
/** Server-side apply: no patch of this room, but one of those that objects take. */
export const APPLY_PATCH = 'application/apply-patch+yaml';

/** The resource type of the object under the patch. Only a built-in one has merge keys to merge lists by. */
export interface PatchType {
  readonly builtin: boolean;
}

export interface PatchOptions {
  /** The request's `Content-Type`; parameters are ignored. */
  readonly contentType: string;
  /** The request's body, its size already bounded by the caller. */
  readonly patch: Uint8Array;
  readonly target: JsonObject;
  readonly type: PatchType;
  /** What Kubernetes' objects of the type hold; undefined where it has none such. */
  readonly message: Message | undefined;
}

/**
 * The target after the patch. All or nothing: throws `PatchSyntaxError` (400), `PatchFailedError` (422) or
 * `UnknownPatchError` and `UnsupportedPatchError` (415). Leaves `target` as it is; the result may share structure with it.
 *
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#patch-and-apply
 */
export function applyPatch(options: PatchOptions): JsonObject {
  const merge = strategyFor(options.contentType, options.type);
  try {
    return merge(options.target, parsePatch(options.patch), options.message);
  } catch (error) {
    const isWhole = error instanceof PatchFormError || merge === strategically;
    if (!(error instanceof PatchSyntaxError) || isWhole) throw error;
    throw new PatchSyntaxError(`error decoding patch: ${error.message}`);
  }
}

type Strategy = (target: JsonObject, patch: JsonValue, message: Message | undefined) => JsonObject;

function strategyFor(contentType: string, type: PatchType): Strategy {
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType === JSON_PATCH) return applyJsonPatch;
  if (mediaType === MERGE_PATCH) return mergeObjects;
  if (mediaType === STRATEGIC_MERGE_PATCH && type.builtin) return strategically;
  throw mediaType === STRATEGIC_MERGE_PATCH ? withoutMergeKeys() : new UnknownPatchError(mediaType);
}

/** Nobody knows by which keys the lists of such objects merge. */
function withoutMergeKeys(): UnsupportedPatchError {
  return new UnsupportedPatchError('the body of the request was in an unknown format', [
    JSON_PATCH,
    MERGE_PATCH,
    APPLY_PATCH,
  ]);
}

/** In Kubernetes `null` is a patch of a typed object that says nothing, and no merge patch. */
function mergeObjects(target: JsonObject, patch: JsonValue): JsonObject {
  if (patch === null) throw new PatchFormError('Invalid JSON Patch');
  const merged = applyMergePatch(target, objectIn(patch));
  return objectIn(merged);
}

/** What an object is cannot be patched: a strategic merge patch that tries to is read as if it did not. */
function strategically(target: JsonObject, patch: JsonValue, message: Message | undefined): JsonObject {
  const merged = strategicMerge(target, patch === null ? {} : objectIn(patch), message);
  const { apiVersion, kind } = target;
  return {
    ...merged,
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === undefined ? {} : { kind }),
  };
}
