export { createSettingsGuard, type SettingsEvent, type SettingsGuardOptions } from './settings-guard.ts';
