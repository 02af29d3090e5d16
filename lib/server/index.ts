/** The Kubernetes REST semantics, as a function from requests to responses. */
export { type Api, createApi } from './create-api.ts';
export {
  ANONYMOUS,
  type ApiOptions,
  type ApiRequest,
  type ApiResponse,
  AUTHENTICATED,
  type Auditing,
  encodeError,
  MASTERS,
  type TokenIssuer,
  type UserInfo,
} from './http/index.ts';
export { releaseOf, removalOf, withoutGrace } from './objects/index.ts';
export { openAuditing } from './open-auditing.ts';
export { openAuthority } from './open-authority.ts';
export {
  type CachedWorld,
  createPlacingVerbs,
  type StoredObject,
  WorldCache,
  type WorldChange,
  type WorldListener,
  type WorldSnapshot,
  type WorldSource,
} from './placing/index.ts';
export {
  CARRIERS,
  CustomTypes,
  type DefinitionStatuses,
  definitionStatuses,
  mayCarry,
} from './registry/index.ts';
export { ApiError, methodNotAllowed, tooLarge } from './status/index.ts';
export { issuingVerbs, readingVerbs, writingVerbs } from './verbs/index.ts';
export {
  editedPod,
  ensureBootstrapRoles,
  ensurePriorityClasses,
  ensureSystemNamespaces,
  objectWriter,
  quotaReckoner,
  statusWriter,
} from './writers/index.ts';
