export {
  type AccountConcurrency,
  CONCURRENCY,
  CONCURRENCY_QUOTA,
  CONCURRENT_FUNCTIONS,
  type ConcurrentFunction,
  leastConcurrency,
  type Reservations,
  readReservations,
  reservationFault,
  UNRESERVED_MINIMUM,
} from '../concurrency/index.ts';
export { Acknowledged } from './acknowledged.ts';
export { Alarms } from './alarms.ts';
export { Api } from './api.ts';
export { auditLogOf } from './audit-log.ts';
export { Canary } from './canary.ts';
export { Dashboard } from './dashboard.ts';
export { DataKey } from './data-key.ts';
export { Derivation } from './derivation.ts';
export { DerivationPermissions, type DerivationPermissionsProps } from './derivation-permissions.ts';
export { type EntranceProps, isOpen } from './entrance.ts';
export { EventSources } from './event-sources.ts';
export { Functions } from './functions.ts';
export { Login } from './login.ts';
export { Outputs } from './outputs.ts';
export { Permissions } from './permissions.ts';
export { Queues } from './queues.ts';
export { reserveConcurrency } from './reserve-concurrency.ts';
export { ServiceAccountTokens } from './service-account-tokens.ts';
export { SettingsGuard } from './settings-guard.ts';
export type { SubscribingProps } from './subscribing.ts';
export { Table } from './table.ts';
export { WinnowFunction } from './winnow-function.ts';
