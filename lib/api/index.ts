/** The Kubernetes REST semantics, as a function from requests to responses. */
export { type Api, createApi } from './create-api.ts';
export { ensurePriorityClasses } from './ensure-priority-classes.ts';
export { ensureSystemNamespaces } from './ensure-system-namespaces.ts';
export {
  type ApiOptions,
  type ApiRequest,
  type ApiResponse,
  type Caller,
  encodeError,
} from './http/index.ts';
export { quotaReckoner } from './quota-reckoner.ts';
export { definitionStatuses } from './registry/index.ts';
export {
  collections,
  namespacedCollections,
  type ResourceType,
  readField,
  resourceTypes,
  targetResources,
} from './resource-types/index.ts';
export { ApiError, methodNotAllowed, tooLarge } from './status/index.ts';
export { readingVerbs, writingVerbs } from './verbs/index.ts';
