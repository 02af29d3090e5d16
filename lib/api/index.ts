/** The Kubernetes REST semantics, as a function from requests to responses. */
export { type Api, createApi } from './create-api.ts';
export { editedPod } from './edited-pod.ts';
export { ensureBootstrapRoles } from './ensure-bootstrap-roles.ts';
export { ensurePriorityClasses } from './ensure-priority-classes.ts';
export { ensureSystemNamespaces } from './ensure-system-namespaces.ts';
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
export { objectWriter } from './object-writer.ts';
export { openAuditing } from './open-auditing.ts';
export { openAuthority } from './open-authority.ts';
export {
  type Beside,
  createPlacingVerbs,
  KeptWorld,
  type StoredObject,
  type StoredWorld,
  type Told,
  type WorldChange,
  type WorldSource,
} from './placing/index.ts';
export { quotaReckoner } from './quota-reckoner.ts';
export { CARRIERS, CustomTypes, definitionStatuses, mayCarry } from './registry/index.ts';
export { ApiError, methodNotAllowed, tooLarge } from './status/index.ts';
export { statusWriter } from './status-writer.ts';
export { issuingVerbs, readingVerbs, writingVerbs } from './verbs/index.ts';
