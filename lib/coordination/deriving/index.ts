/**
 * Keeps data derived from objects up to date: work items, and the function that processes them. The derivations
 * themselves come from other modules.
 */
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
