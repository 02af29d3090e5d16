/** What is derived from objects, kept true: who is owed a look, and who has it. What it is, is said from outside. */
export type {
  ChangeMapper,
  Derivation,
  Derived,
  DerivingStore,
  Versions,
  WorkKey,
  WorkRequest,
} from './derivation.ts';
export { createDeriver } from './deriver.ts';
export type { DueMessage } from './due-message.ts';
export { enqueueChanges, type RoundChanges } from './owe-changes.ts';
export { TooEarlyError } from './too-early-error.ts';
