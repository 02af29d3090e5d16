/** The patch formats, as functions from document to document. */
export { APPLY_PATCH, applyPatch, type PatchOptions } from './apply-patch.ts';
export {
  JsonPatchFailedError,
  PatchFailedError,
  PatchSyntaxError,
  UnknownPatchError,
  UnsupportedPatchError,
} from './errors.ts';
export { applyJsonPatch } from './json-patch.ts';
export { parsePatch } from './parse-patch.ts';
