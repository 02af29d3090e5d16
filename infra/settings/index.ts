/** The settings of a deployment: their table, their reader, and their documentation. */
export {
  CONFIG_FILE,
  type ConfigFile,
  readConfigFile,
  SETTINGS_METADATA,
  SETTINGS_SCHEMA,
} from './config-file.ts';
export { withSettingsTable } from './docs-table.ts';
export { chosenSettings, overridesOf, readSettings, unknownSettings } from './read-settings.ts';
export { settingsSchema } from './schema.ts';
export type { Setting } from './setting.ts';
export type { Settings } from './settings.ts';
export { SETTINGS } from './table.ts';
