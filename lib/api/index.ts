/** The Kubernetes REST semantics, as a function from requests to responses. */
export { ensureDefaultNamespace } from './admit-namespace.ts';
export { type Api, createApi } from './create-api.ts';
export { encodeError } from './encode-answer.ts';
export type { ApiOptions, ApiRequest, ApiResponse } from './request.ts';
export { type ResourceType, readField, resourceTypes } from './resource-types/index.ts';
export { ApiError, methodNotAllowed, tooLarge } from './status.ts';
export { collections, namespacedCollections, targetResources } from './targets.ts';
export { readingVerbs, writingVerbs } from './verbs.ts';
