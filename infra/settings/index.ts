export { withSettingsTable } from './docs-table.ts';
export { readSettings, unknownSettings } from './read-settings.ts';
export type { Setting } from './setting.ts';
export type { Settings } from './settings.ts';
export { SETTINGS } from './table.ts';
