/** Patches as values of expressions: `Object{}`, `JSONPatch{}` and `jsonpatch.escapeKey`. Loaded with the first mutation. */
export { withPatchTypes } from './environment.ts';
export { ConversionError, jsonOf, nameErrors, patchesIn } from './json-of.ts';
export { ObjectValue, PatchValue } from './patch-values.ts';
