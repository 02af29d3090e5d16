export { createWriteMark, readActivity } from './activity/index.ts';
export { collectChunks } from './bodies-apart.ts';
export type {
  Change,
  ChangeRange,
  Committed,
  Known,
  LabelsRead,
  LabelsRequest,
  ListPage,
  ListPlan,
  ListRequest,
  Mutation,
  PlanStep,
  Prefetched,
  PrefetchRequest,
  Snapshots,
  Store,
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
export { fillGap } from './fill-gap.ts';
export type { Filler, GapRange } from './filler.ts';
export { FIRST_VERSION, markFollowed } from './head.ts';
export type {
  ChangesBackPage,
  ChangesBackRequest,
  HistoryCursor,
  HistoryEnd,
  HistoryPage,
  HistoryRequest,
  HistorySight,
} from './history-contract.ts';
export { BRIEF_COLLECTIONS, expiresAt, type JournalChange, readEntryTime } from './journal.ts';
export {
  BUCKETS,
  bucketOf,
  bucketRange,
  budgetKey,
  CURSORS,
  cursorKey,
  DUE_SHARDS,
  dueKey,
  duePartition,
  GC_TASK_SHARDS,
  headKey,
  nameKey,
  padVersion,
  parseDueKey,
  parseGcTaskKey,
  parseJournalKey,
  parseNameKey,
  placerKey,
  proofKey,
  proofPartition,
  roundsKey,
  settledKey,
  shardOfCursor,
  snapshotChunkKey,
  snapshotKey,
  subscriptionKey,
  subscriptionsPartition,
  sweepKey,
  sweepsPartition,
  tallyKey,
} from './keys.ts';
export type { ReadPurpose } from './list-reads.ts';
export { type ObjectState, stateOf, storedText, toObject } from './object.ts';
export { refuseUnstorable } from './object-limits.ts';
export type { Origin } from './origin.ts';
export {
  type Dependent,
  dependentsOf,
  dueGcTasks,
  endGcTask,
  FOREGROUND_FINALIZER,
  type GcTask,
  hasDependents,
  ORPHAN_FINALIZER,
  type OwnerReference,
  ownerReferencesOf,
  postponeGcTask,
  type StoredGcTask,
  sweeps,
} from './owners/index.ts';
export type { CarriedSelector, FoundSelector, SelectorMatches } from './postings/index.ts';
export {
  ACCESS_COLLECTIONS,
  type AccessVersions,
  type Fence,
  forgetRuleVersions,
  RULE_COLLECTIONS,
  type RuleVersions,
} from './preconditions/index.ts';
export {
  type KindFacts,
  type ObjectToWrite,
  Repair,
  RestoreLock,
  type RestoreProgress,
  RestoreUnderwayError,
  raiseWatermarks,
  readRestoreProgress,
  type Scan,
  scanTable,
} from './restore/index.ts';
export {
  beginSchema,
  CHUNKS_SCHEMA,
  HISTORY_SCHEMA,
  IDENTITY_SCHEMA,
  KNOWN_SCHEMAS,
  type KnownSchemas,
  RowSchema,
  RULES_SCHEMA,
  raiseSchema,
  readSchema,
  SCOPED_SCHEMA,
  type SchemaState,
  schemaTable,
} from './schema/index.ts';
export { SEEN_KEPT, type Seen } from './seen/index.ts';
export { type Snapshot, SnapshotCache } from './snapshot-cache.ts';
export { createStore } from './store.ts';
export type {
  Clause,
  Condition,
  Conditional,
  Consumed,
  Key,
  MeteredTable,
  QueryPage,
  QueryRequest,
  Reading,
  Row,
  Table,
  TransactItem,
  TransactOutcome,
  Update,
} from './table.ts';
export { batchingTable, measuredTable, noReadCost, retryingTable } from './tables/index.ts';
export {
  answerWatchRequest,
  createWatchCap,
  createWatches,
  eventOf,
  type Filter,
  type HeldWatch,
  type ObjectEvent,
  transition,
  type WatchCap,
  type WatchEvent,
  type Watches,
  type WatchRequest,
} from './watch/index.ts';
