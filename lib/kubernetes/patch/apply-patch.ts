import { applyMergePatch, type JsonObject, type JsonValue } from '../../json/index.ts';
import type { Message } from '../fields/index.ts';
import { PatchFormError, PatchSyntaxError, UnknownPatchError, UnsupportedPatchError } from './errors.ts';
import { applyJsonPatch } from './json-patch.ts';
import { objectIn, parsePatch } from './parse-patch.ts';
import { strategicMerge } from './strategic-merge.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json';
/** The content type of server-side apply. `applyPatch` does not handle it, but objects accept it. */
export const APPLY_PATCH = 'application/apply-patch+yaml';

/** The resource type of the patched object. Only built-in types have merge keys for lists. */
export interface PatchType {
  readonly builtin: boolean;
}

export interface PatchOptions {
  /** The request's `Content-Type`; parameters are ignored. */
  readonly contentType: string;
  /** The request body. The caller has already limited its size. */
  readonly patch: Uint8Array;
  readonly target: JsonObject;
  readonly type: PatchType;
  /** The fields of Kubernetes' type; undefined if the type is not one of Kubernetes'. */
  readonly message: Message | undefined;
}

/**
 * Returns the target after the patch. Applies all of the patch or nothing. Does not change `target`; the result may
 * share structure with it.
 *
 * @throws {PatchSyntaxError} 400
 * @throws {PatchFailedError} 422
 * @throws {UnknownPatchError} 415
 * @throws {UnsupportedPatchError} 415
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
  if (mediaType === JSON_PATCH) return (target, patch) => applyJsonPatch(target, patch);
  if (mediaType === MERGE_PATCH) return mergeObjects;
  if (mediaType === STRATEGIC_MERGE_PATCH && type.builtin) return strategically;
  throw mediaType === STRATEGIC_MERGE_PATCH ? withoutMergeKeys() : new UnknownPatchError(mediaType);
}

/** The error for types whose merge keys are unknown. */
function withoutMergeKeys(): UnsupportedPatchError {
  return new UnsupportedPatchError('the body of the request was in an unknown format', [
    JSON_PATCH,
    MERGE_PATCH,
    APPLY_PATCH,
  ]);
}

/**
 * Applies a merge patch. As in Kubernetes, `null` is an empty patch of a typed object and not a valid merge patch.
 */
function mergeObjects(target: JsonObject, patch: JsonValue): JsonObject {
  if (patch === null) throw new PatchFormError('Invalid JSON Patch');
  const merged = applyMergePatch(target, objectIn(patch));
  return objectIn(merged);
}

/** Applies a strategic merge patch. Changes of `apiVersion` and `kind` are ignored. */
function strategically(target: JsonObject, patch: JsonValue, message: Message | undefined): JsonObject {
  const merged = strategicMerge(target, patch === null ? {} : objectIn(patch), message);
  const { apiVersion, kind } = target;
  return {
    ...merged,
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === undefined ? {} : { kind }),
  };
}
