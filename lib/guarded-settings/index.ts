/**
 * The settings that a deployment cannot change by accident: their stored values, and the loss that a change would
 * cause.
 * Pure.
 */
export { findLosses, type Loss } from './find-losses.ts';
export { GUARDED, type GuardedSetting, type StoredSettings } from './stored-settings.ts';
