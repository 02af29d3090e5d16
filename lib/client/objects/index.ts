export type { AddressOptions, TokenSource } from './address.ts';
export {
  AlreadyExistsError,
  ConflictError,
  ExpiredError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  OutcomeUnknownError,
  type Status,
  type StatusCause,
  TooManyRequestsError,
  UnauthorizedError,
  UnavailableError,
  WinnowError,
} from './errors.ts';
export {
  type AnyKind,
  type BodyOf,
  type DefinedKind,
  defineKind,
  type FieldPath,
  type InputOf,
  type Kind,
  type KindDefinition,
  type OutputOf,
  resource,
  type Scope,
  type StandardSchema,
} from './kind.ts';
export type { HoldOptions, LiveEvents, LiveSet, LiveState } from './live-set.ts';
export type { ObjectList, Page } from './object-list.ts';
export type {
  ApplyOptions,
  DeleteOptions,
  ListOptions,
  LiveOptions,
  Objects,
  Patch,
  Question,
  RequestOptions,
  Target,
  WatchOptions,
} from './objects.ts';
export { absent, type Condition, exists, type FieldSelector, type LabelSelector, not } from './selector.ts';
export type {
  Applied,
  DeepPartial,
  MergePatch,
  New,
  NewMetadata,
  OwnerReference,
  Stored,
  StoredMetadata,
} from './stored-object.ts';
export type { ApiRequest, ConnectOptions } from './transport.ts';
export type { WatchEvent } from './watch.ts';
export { connect, type Winnow } from './winnow.ts';
