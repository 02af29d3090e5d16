import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Gaps } from '../emulators.ts';
import type { AlarmBound, AlarmBounds } from './alarm-bound.ts';
import type { Api } from './api.ts';
import type { Canary } from './canary.ts';
import type { Derivation } from './derivation.ts';
import type { Functions } from './functions.ts';
import type { Login } from './login.ts';
import type { Queues } from './queues.ts';
import type { ServiceAccountTokens } from './service-account-tokens.ts';
import type { WinnowFunction } from './winnow-function.ts';
import { winnowMetric } from './winnow-metric.ts';

export interface Parts {
  readonly api: Api;
  readonly functions: Functions;
  readonly login: Login;
  readonly queues: Queues;
  /** Absent if the deployment derives nothing. */
  readonly derivation?: Derivation | undefined;
  /** Absent if the deployment has no canary. */
  readonly canary?: Canary | undefined;
  /** Absent if the deployment issues no tokens. */
  readonly tokens?: ServiceAccountTokens | undefined;
  /** The features that the emulator lacks. */
  readonly gaps?: Gaps;
}

/** Thresholds for five minutes. Smaller numbers come from invalid requests of clients, or from retried invocations. */
const FEW = { serverErrors: 5, errors: 3, throttles: 10 };
/** The threshold if refused tokens, which anyone can send, cannot be subtracted from the authorizer's errors. */
const REFUSALS = 100;
/** The threshold for the age of the stream, in ms. Relay abandons records that are 15 minutes old. */
const OLD = 5 * 60_000;

const SUM = { statistic: 'Sum', period: Duration.minutes(5) };
const HAPPENS = { periods: 1, measured: 'when it happens' } as const;

/**
 * The alarms on metrics that AWS publishes for the parts of the stack. Each uses one metric of one part: some
 * emulators do not support an alarm on a sum (`infra/emulators.ts`), and each metric of a sum costs money.
 */
export function partBounds({
  api,
  functions,
  login,
  queues,
  derivation,
  canary,
  tokens,
  gaps = {},
}: Parts): AlarmBounds {
  const { fill, read, write, place, bind, relay, dispatch, reconcile } = functions;
  const sending = {
    Dispatch: dispatch,
    Reconcile: reconcile,
    ...(bind && { Bind: bind }),
    ...(derivation && { Derive: derivation.derive }),
  };
  const every = Object.entries({
    Read: read,
    Write: write,
    Place: place,
    Fill: fill,
    Relay: relay,
    ...sending,
    ...(login.function && { Authorizer: login.function }),
    ...(tokens && { Issue: tokens.issue }),
    ...(canary && { Canary: canary.canary }),
  });
  return {
    ServerErrors: {
      ...HAPPENS,
      what: 'the API answers with server errors',
      heading: 'Server errors',
      metric: api.rest.deploymentStage.metricServerError(SUM),
      threshold: FEW.serverErrors,
    },
    ...setAside(queues, derivation),
    ...merged(every.map(([name, one]) => ({ [`${name}Errors`]: errorBound(name, one) }))),
    ...(login.function && errorsOfAuthorizer(login.function, gaps)),
    ...merged(every.map(([name, one]) => throttlesOf(name, one))),
    ...merged(Object.entries(sending).map(([name, one]) => dropsOf(name, one))),
    StreamAge: {
      what: "relay is behind on the table's stream",
      heading: 'Age of the stream',
      metric: relay.function.metric('IteratorAge', { statistic: 'Maximum', period: Duration.minutes(1) }),
      threshold: OLD,
      periods: 5,
      measured: 'when it happens',
    },
  };
}

function errorBound(id: string, { function: one }: WinnowFunction): AlarmBound {
  const name = id.toLowerCase();
  return {
    ...HAPPENS,
    what: `invocations of ${name} fail`,
    heading: `Errors of ${name}`,
    metric: one.metricErrors(SUM),
    threshold: FEW.errors,
  };
}

/**
 * The alarm on the authorizer's errors. The authorizer fails on purpose for a token that it refuses, because API
 * Gateway has no other way to answer 401. So the alarm subtracts refused tokens. They are counted some milliseconds
 * later than the errors, possibly in the next period, so the alarm needs two periods.
 */
function errorsOfAuthorizer(authorizer: WinnowFunction, gaps: Gaps): AlarmBounds {
  const bound = errorBound('Authorizer', authorizer);
  if (gaps['metric-math']) return { AuthorizerErrors: { ...bound, threshold: REFUSALS } };
  const metric: IMetric = new MathExpression({
    expression: 'errors - FILL(refused, 0)',
    usingMetrics: {
      errors: authorizer.function.metricErrors(SUM),
      refused: winnowMetric(authorizer, 'RefusedTokens', SUM),
    },
    period: SUM.period,
    label: 'errors of the authorizer except refused tokens',
  });
  return { AuthorizerErrors: { ...bound, metric, periods: 2 } };
}

function throttlesOf(id: string, { function: one }: WinnowFunction): AlarmBounds {
  const bound = {
    ...HAPPENS,
    what: `Lambda throttles ${id.toLowerCase()}: the account's concurrency is used up`,
    heading: 'Throttled functions',
    metric: one.metricThrottles(SUM),
    threshold: FEW.throttles,
  };
  return { [`${id}Throttles`]: bound };
}

/** The alarm for functions that send messages to a queue that invokes them. */
function dropsOf(id: string, { function: one }: WinnowFunction): AlarmBounds {
  const bound = {
    ...HAPPENS,
    what: `Lambda stops ${id.toLowerCase()}, which it takes for an endless loop`,
    heading: 'Dropped invocations',
    metric: one.metric('RecursiveInvocationsDropped', SUM),
    threshold: 1,
  };
  return { [`${id}Drops`]: bound };
}

function setAside(queues: Queues, derivation: Derivation | undefined): AlarmBounds {
  const { eventsDeadLetters, reconcileDeadLetters, relayFailures, scheduleFailures } = queues;
  const bound = (id: string, queue: typeof relayFailures, what: string): AlarmBound => ({
    // SQS publishes no metrics for a queue that was not used for hours.
    ...HAPPENS,
    what,
    heading: `Messages in ${id}`,
    metric: queue.metricApproximateNumberOfMessagesVisible({
      period: Duration.minutes(1),
      statistic: 'Maximum',
    }),
    threshold: 1,
  });
  return {
    EventsDeadLetters: bound('EventsDeadLetters', eventsDeadLetters, 'dispatch could not handle a hint'),
    ReconcileDeadLetters: bound(
      'ReconcileDeadLetters',
      reconcileDeadLetters,
      'reconcile could not handle a message',
    ),
    RelayFailures: bound('RelayFailures', relayFailures, 'relay could not handle records of the stream'),
    ...(queues.placement && {
      PlacementDeadLetters: bound(
        'PlacementDeadLetters',
        queues.placement.deadLetters,
        'bind could not handle a message',
      ),
    }),
    ScheduleFailures: bound('ScheduleFailures', scheduleFailures, 'a tick of the schedule failed'),
    ...(derivation && {
      DeriveDeadLetters: bound(
        'DeriveDeadLetters',
        derivation.deadLetters,
        'derive could not handle a message',
      ),
    }),
  };
}

function merged(parts: readonly AlarmBounds[]): AlarmBounds {
  return Object.assign({}, ...parts);
}
