/** What a deployment checks, acknowledges and prints. */
export { Acknowledged } from './acknowledged.ts';
export { Outputs } from './outputs.ts';
export { SettingsGuard } from './settings-guard.ts';
