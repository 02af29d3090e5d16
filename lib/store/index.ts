export type {
  CarriedSelector,
  Findings,
  FindOptions,
  FoundSelector,
  PresentCarrier,
  Sought,
} from './anchors/index.ts';
export type {
  Change,
  ChangeStretch,
  Known,
  LabelsRead,
  LabelsRequest,
  ListPage,
  ListPlan,
  ListRequest,
  Mutation,
  Origin,
  PlanStep,
  Prefetched,
  PrefetchRequest,
  Snapshots,
  Store,
  StoreOptions,
  ValuesRead,
  WriteOutcome,
  WriteRequest,
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
  StorageFullError,
  ThrottledError,
  TooManyToCountError,
  UnavailableError,
  UndecidedError,
  UnknownSchemaError,
} from './errors.ts';
export {
  countValues,
  DEPTH_EXCEEDED,
  extentOf,
  LONGEST_PATH,
  MOST_DEPTH,
  MOST_PATH_CHARACTERS,
  MOST_VALUES,
  refuseManyValues,
} from './extent.ts';
export { fillGap } from './fill-gap.ts';
export { type Filler, type GapRange, MOST_IN_GAP } from './filler.ts';
export { ACCESS_COLLECTIONS, type AccessVersions, type Fence } from './guards/index.ts';
export { FIRST_VERSION } from './head.ts';
export { jitteredSleep } from './jittered-sleep.ts';
export { type ChangeType, expiresAt, JournalChange, readEntryTime } from './journal.ts';
export { isJsonObject, type JsonObject, type JsonValue, objectAt } from './json.ts';
export {
  budgetKey,
  CURSORS,
  cursorKey,
  DUE_SHARDS,
  dueKey,
  duePartition,
  groupOfCursor,
  headKey,
  LOOK_SHARDS,
  nameKey,
  PLACES,
  padVersion,
  parseDueKey,
  parseJournalKey,
  parseLookKey,
  parseNameKey,
  placeOf,
  placeRange,
  placerKey,
  proofKey,
  proofPartition,
  roundsKey,
  settledKey,
  snapshotChunkKey,
  snapshotKey,
  subscriptionKey,
  subscriptionsPartition,
  sweepKey,
  sweepsPartition,
  tallyKey,
  watchesPartition,
  watchKey,
} from './keys.ts';
export type { ReadPurpose } from './list-reads.ts';
export { applyMergePatch, jsonEquals, mergePatchBetween } from './merge-patch.ts';
export { type ObjectState, stateOf, toObject } from './object.ts';
export { refuseUnstorable } from './object-limits.ts';
export { type Collection, collectionOf, metadataOf, type ObjectName } from './object-name.ts';
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
export {
  type KindFacts,
  type ObjectToWrite,
  type OwnerPlace,
  Repair,
  type RepairOptions,
  type RestoreProgress,
  RestoreTurn,
  RestoreUnderwayError,
  raiseMarks,
  readRestoreProgress,
  type Scan,
  type ScanPage,
  type Survey,
  surveyTable,
} from './restore/index.ts';
export {
  beginSchema,
  IDENTITY_SCHEMA,
  KNOWN_SCHEMAS,
  type KnownSchemas,
  RowSchema,
  raiseSchema,
  readSchema,
  SCOPED_SCHEMA,
  type SchemaState,
  schemaTable,
} from './schema/index.ts';
export { SEEN_KEPT, type Seen, type SeenRow, type Sighting } from './seen/index.ts';
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
export { emptyTally, gatheredTable, measuredTable, patientTable, type Tally } from './tables/index.ts';
export { TooLargeError } from './too-large-error.ts';
export { valueAt } from './value-at.ts';
export type { Watermarks } from './watermarks.ts';
