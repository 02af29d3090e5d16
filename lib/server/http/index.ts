/** HTTP requests and responses: routes, query, body, encodings. This folder knows no verb. */
export {
  acceptsJson,
  asksFor,
  negotiate,
  notAcceptable,
  parseAccept,
  prefersYaml,
  type Representation,
} from './accept.ts';
export type { Auditing, AuditTrail, Decided } from './auditing.ts';
export {
  type Answer,
  type ApiOptions,
  type Authorization,
  accountsOf,
  announceCommit,
  asServer,
  type Call,
  collectionOfCall,
  type MutatedObject,
  objectNameOf,
  type Recheck,
  type RuledWrite,
  type TokenCipher,
  type Verbs,
} from './call.ts';
export {
  compressResponse,
  encodeAnswer,
  encodeError,
  encodeJson,
  isTooLong,
  refuseTooLong,
} from './encode-answer.ts';
export { type FieldValidation, readFieldValidation } from './field-validation.ts';
export { type HistoryTarget, readHistoryTarget } from './history-target.ts';
export { inYaml } from './in-yaml.ts';
export { observe } from './observe.ts';
export {
  isWatchList,
  parseVersion,
  readDryRun,
} from './query.ts';
export { ReadAgainError } from './read-again-error.ts';
export { hasBody, mediaTypeOf, readBody } from './read-body.ts';
export { readCount, readVersion, refuseListOptions } from './read-options.ts';
export { readTime } from './read-time.ts';
export type { ApiRequest, ApiResponse, BoundObject, TokenIssuer } from './request.ts';
export {
  isOfGroup,
  isOfNamespace,
  isTrue,
  type ResourceRoute,
  routeOf,
  splitPath,
  type Verb,
} from './route.ts';
export { type Selection, selectionOf } from './selection.ts';
export { ANONYMOUS, AUTHENTICATED, MASTERS, type UserInfo } from './user-info.ts';
export { managerErrors, managerOf, readManager, refuseForce, refuseOptions } from './writer.ts';
