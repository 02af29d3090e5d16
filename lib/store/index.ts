export type {
  Change,
  ChangeStretch,
  ListPage,
  ListPlan,
  ListRequest,
  Mutation,
  PlanStep,
  Snapshots,
  Store,
  StoreOptions,
  ValuesRead,
  WriteOutcome,
} from './contract.ts';
export {
  type DeclaredCollection,
  declareCollection,
  forgetCollection,
  readDeclared,
} from './declared-collections.ts';
export { eachPage } from './each-page.ts';
export {
  ContentionError,
  FutureVersionError,
  GoneError,
  LabelLimitError,
  OutOfTimeError,
  ThrottledError,
  TooLargeError,
  UnavailableError,
  UndecidedError,
} from './errors.ts';
export { extentOf, MOST_VALUES, refuseManyValues } from './extent.ts';
export { gatheredTable } from './gathered-table.ts';
export { FIRST_VERSION } from './head.ts';
export { jitteredSleep } from './jittered-sleep.ts';
export { type ChangeType, JournalChange, readEntryTime } from './journal.ts';
export { isJsonObject, type JsonObject, type JsonValue, objectAt } from './json.ts';
export {
  CURSORS,
  cursorKey,
  groupOfCursor,
  headKey,
  LOOK_SHARDS,
  nameKey,
  PLACES,
  parseJournalKey,
  parseLookKey,
  parseNameKey,
  placeOf,
  placeRange,
  settledKey,
  subscriptionKey,
  subscriptionsPartition,
} from './keys.ts';
export type { ReadPurpose } from './list-reads.ts';
export { emptyTally, measuredTable, type Tally } from './measured-table.ts';
export { applyMergePatch, jsonEquals, mergePatchBetween } from './merge-patch.ts';
export {
  type Collection,
  collectionOf,
  metadataOf,
  type ObjectName,
  type ObjectState,
  stateOf,
  toObject,
} from './object.ts';
export {
  type Dependent,
  dependentsOf,
  dueLooks,
  endLook,
  FOREGROUND_FINALIZER,
  hasDependents,
  type Look,
  ORPHAN_FINALIZER,
  type OwedLook,
  type OwnerReference,
  ownerReferencesOf,
  postponeLook,
  sweeps,
} from './owners/index.ts';
export { patientTable } from './patient-table.ts';
export { createStore } from './store.ts';
export type {
  Attribute,
  Clause,
  Condition,
  Conditional,
  Consumed,
  Key,
  MeteredTable,
  QueryPage,
  QueryRequest,
  Row,
  Table,
  TransactItem,
  TransactOutcome,
  Update,
} from './table.ts';
export { valueAt } from './value-at.ts';
export type { Watermarks } from './watermarks.ts';
