/** What a DELETE says, and what becomes of an object by it. */
export { type DeleteOptions, deleteOptionsOf, readDeleteOptions } from './delete-options.ts';
export { deletionWarnings } from './deletion-finalizers.ts';
export { isNamespaces, removalOf } from './removal-of.ts';
