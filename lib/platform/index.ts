export { type AccountBound, printAccountBound, readAccountBound } from './account-bound.ts';
export { AUTHOR_LIFE, type AuthorLife, readAuthorLife } from './author-life.ts';
export { type Clock, systemClock } from './clock.ts';
export { Mutex, mapBounded } from './concurrency.ts';
export { DERIVABLE, type Derivable, readDerivable, type What, whatOf } from './derivable.ts';
export {
  FAILED_INVOCATION,
  FAULT_BOUNDS,
  FAULT_PAUSE,
  FAULTS,
  type FaultBound,
  type FaultReason,
  faultPart,
  faultsNamespace,
} from './faults.ts';
export { ENTRY_POINT_METADATA, type FunctionName, functionNames, WITH_LOGIN } from './function-names.ts';
export { HISTORY_DAYS, readHistoryDays } from './history-days.ts';
export { type LogData, type Logger, silentLogger } from './logger.ts';
export { MEMORY } from './memory.ts';
export {
  METRICS,
  METRICS_NAMESPACE,
  type MetricDimensions,
  type MetricName,
  type Metrics,
  OUTCOMES,
  STATUSES,
  VERBS,
} from './metrics.ts';
export {
  CANARY,
  DELIVER_TAG,
  ENVIRONMENT,
  type LabelIndex,
  type LabelIndexName,
  QUEUE_TAG,
  TABLE,
} from './names.ts';
export { type Random, systemRandom } from './random.ts';
export { DEFAULT_REQUEST_RATE, type RequestRate, readRequestRate } from './request-rate.ts';
export { readServiceRange, SERVICE_RANGE, type ServiceRange } from './service-range.ts';
export { SigningHash } from './signing-hash.ts';
export { readSubscribingLimits, SUBSCRIBING_LIMITS, type SubscribingLimits } from './subscribing-limits.ts';
export { TIMING } from './timing.ts';
export { MOST_WATCHES, readWatchCap } from './watch-cap.ts';
export { zlib } from './zlib.ts';
