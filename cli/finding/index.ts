/** Finds types and objects that are named as for kubectl. */
export { type FoundObject, findObject, notFound } from './find-object.ts';
export { type FoundType, findType, pathOf } from './find-type.ts';
