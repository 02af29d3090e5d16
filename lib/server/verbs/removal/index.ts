/** The options of a DELETE, and its effect on an object. */
export { type DeleteOptions, deleteOptionsOf, readDeleteOptions } from './delete-options.ts';
export { deletionWarnings } from './deletion-finalizers.ts';
export { isNamespaces, removalOf } from './removal-of.ts';
