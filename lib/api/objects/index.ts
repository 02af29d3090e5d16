/** What an object is before it is stored: decoded, completed, changed, checked. */
export {
  DEFAULT_NAMESPACE,
  ensureDefaultNamespace,
  NAMESPACES,
  namespaceNotFound,
  readNamespace,
  refuseTerminating,
} from './admit-namespace.ts';
export { decodeObject } from './decode-object.ts';
export { dropNulls } from './json-values.ts';
export { timestamp } from './metadata.ts';
export { generatesName, newObject } from './new-object.ts';
export { isGone, nextState, refuseOtherName, withNextGeneration } from './next-state.ts';
export { finalizerWarnings } from './validate-object-meta.ts';
