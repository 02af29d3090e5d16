/** The constructs of which Winnow consists. */
export { Acknowledged, Outputs, SettingsGuard } from './deployment/index.ts';
export { Api, type EntranceProps, isOpen } from './entrance/index.ts';
export { EventSources } from './events/index.ts';
export {
  auditLogOf,
  DataKey,
  Functions,
  Login,
  reserveConcurrency,
  type SubscribingProps,
  WinnowFunction,
} from './functions/index.ts';
export {
  Canary,
  Derivation,
  DerivationPermissions,
  type DerivationPermissionsProps,
  ServiceAccountTokens,
} from './optional/index.ts';
export { Permissions } from './rights/index.ts';
export { Queues, Table } from './storage/index.ts';
export { Alarms, Dashboard, watchSetAside } from './watching/index.ts';
