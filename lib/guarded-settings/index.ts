/**
 * The settings that a deployment cannot change by accident: what the stack stores of them, and what a change of them
 * would lose. Pure.
 */
export { findLosses, type Loss } from './find-losses.ts';
export { GUARDED, type GuardedSetting, type StoredSettings } from './stored-settings.ts';
