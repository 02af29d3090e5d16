export type { AddressOptions, TokenSource } from './address.ts';
export type { LiveEvents } from './announcer.ts';
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
  type PathValue,
  resource,
  type Scalar,
  type Scope,
  type StandardSchema,
} from './kind.ts';
export type { LiveReader, LiveState, Matcher } from './live-reader.ts';
export type { LiveSet } from './live-set.ts';
export type { ObjectList, Page } from './object-list.ts';
export type { Objects } from './objects.ts';
export type {
  ApplyOptions,
  Change,
  DeleteOptions,
  FacetOptions,
  HoldOptions,
  ListOptions,
  LiveOptions,
  Patch,
  Question,
  RequestOptions,
  ReviewedChange,
  SelectedOptions,
  SelectOptions,
  Target,
  WatchOptions,
} from './options.ts';
export type { Facet, Facets, Selection, SelectionReview } from './reviews.ts';
export { absent, type Condition, exists, type FieldSelector, type LabelSelector, not } from './selector.ts';
export type { Column, Shape, Shaped, TableRow } from './shape.ts';
export type {
  Applied,
  DeepPartial,
  DeepReadonly,
  LiveObject,
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
