/** JSON values: their types, sizes and merge patches, and the names of the objects that they hold. */

export { fieldPathOf } from './field-path.ts';
export { isJsonObject, type JsonObject, type JsonValue, objectAt, objectsIn } from './json.ts';
export { jsonPatchBetween, type PatchOperation } from './json-patch-between.ts';
export {
  countValues,
  DEPTH_EXCEEDED,
  jsonSizeOf,
  LONGEST_PATH,
  MOST_DEPTH,
  MOST_PATH_CHARACTERS,
  MOST_VALUES,
  refuseManyValues,
} from './json-size.ts';
export { endOfString, endOfValue } from './json-text.ts';
export { applyMergePatch, jsonEquals, mergePatchBetween } from './merge-patch.ts';
export { type Collection, collectionOf, metadataOf, type ObjectName } from './object-name.ts';
export { TooLargeError } from './too-large-error.ts';
export { valueAt } from './value-at.ts';
