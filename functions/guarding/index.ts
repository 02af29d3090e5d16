/** The handler that refuses deployments that would lose data. */
export { createSettingsGuard, type SettingsEvent, type SettingsGuardOptions } from './settings-guard.ts';
