/** A request as it comes and an answer as it goes: routes, query, body, encodings. Knows no verb. */
export {
  acceptsJson,
  asksFor,
  negotiate,
  notAcceptable,
  parseAccept,
  type Representation,
} from './accept.ts';
export {
  type Answer,
  announceCommit,
  type Call,
  collectionOfCall,
  objectNameOf,
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
export { observe } from './observe.ts';
export { parseVersion, readCount, readDryRun, readVersion, refuseListOptions } from './query.ts';
export { hasBody, mediaTypeOf, type ReadBody, readBody } from './read-body.ts';
export type { ApiOptions, ApiRequest, ApiResponse, Caller } from './request.ts';
export {
  type FindType,
  isOfGroup,
  isTrue,
  type ResourceRoute,
  routeOf,
  splitPath,
  type Verb,
} from './route.ts';
export { type Selection, selectionOf } from './selection.ts';
export { managerErrors, readManager, refuseForce, refuseOptions } from './writer.ts';
