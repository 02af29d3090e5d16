export {
  type ContinueToken,
  decodeContinue,
  encodeContinue,
  InvalidContinueError,
} from './continue-token.ts';
export { type ChangeType, JournalChange, readEntryTime } from './journal.ts';
export { isJsonObject, type JsonObject, type JsonValue, objectAt } from './json.ts';
export {
  cursorKey,
  headKey,
  nameKey,
  parseJournalKey,
  parseNameKey,
  settledKey,
  subscriptionKey,
  subscriptionsPartition,
} from './keys.ts';
export { FutureVersionError } from './list.ts';
export type { ListPlan, PlanStep } from './list-plan.ts';
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
export { patientTable } from './patient-table.ts';
export { GoneError } from './settle.ts';
export {
  type Change,
  createStore,
  type ListPage,
  type ListRequest,
  type Mutation,
  type Store,
  type StoreOptions,
  type WriteOutcome,
} from './store.ts';
export {
  type Attribute,
  type Clause,
  type Condition,
  type Conditional,
  type Consumed,
  type Key,
  type MeteredTable,
  OutOfTimeError,
  type QueryPage,
  type QueryRequest,
  type Row,
  type Table,
  ThrottledError,
  type TransactItem,
  type TransactOutcome,
  UnavailableError,
  type Update,
} from './table.ts';
export { FIRST_VERSION, jitteredSleep, type Watermarks } from './watermarks.ts';
export { ContentionError, UndecidedError } from './write.ts';
export { LabelLimitError, TooLargeError } from './write-plan.ts';
