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
  /** Absent where nothing is derived. */
  readonly derivation?: Derivation | undefined;
  /** Absent where nothing tries the deployment. */
  readonly canary?: Canary | undefined;
  /** Absent where no tokens are issued. */
  readonly tokens?: ServiceAccountTokens | undefined;
  /** What the emulator cannot do that this is for. */
  readonly gaps?: Gaps;
}

/** In five minutes. A few are somebody's broken request, or an invocation that is tried again. */
const FEW = { serverErrors: 5, errors: 3, throttles: 10 };
/** Where refused tokens cannot be taken off the authorizer's errors: anybody can send them. */
const REFUSALS = 100;
/** Relay gives up what is 15 minutes old. In ms. */
const OLD = 5 * 60_000;

const SUM = { statistic: 'Sum', period: Duration.minutes(5) };
const HAPPENS = { periods: 1, measured: 'when it happens' } as const;

/**
 * What is wrong with the parts, by the metrics that AWS publishes of them. Each is one metric of one part: an
 * emulator knows no alarm on a sum of several (`infra/emulators.ts`), and each metric of a sum is billed.
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
      what: 'the API answers with errors of the server',
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
      what: 'relay is behind the stream of the table',
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
 * The authorizer fails on purpose for a token that it refuses: API Gateway knows no other way to a 401. So those are
 * taken off. They are counted some milliseconds later than the errors, maybe in the next period: hence two periods.
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
    label: 'errors of the authorizer that are no refused tokens',
  });
  return { AuthorizerErrors: { ...bound, metric, periods: 2 } };
}

function throttlesOf(id: string, { function: one }: WinnowFunction): AlarmBounds {
  const bound = {
    ...HAPPENS,
    what: `${id.toLowerCase()} is wanted more often than the account allows`,
    heading: 'Throttled functions',
    metric: one.metricThrottles(SUM),
    threshold: FEW.throttles,
  };
  return { [`${id}Throttles`]: bound };
}

/** Of those that send to a queue by which they are invoked. */
function dropsOf(id: string, { function: one }: WinnowFunction): AlarmBounds {
  const bound = {
    ...HAPPENS,
    what: `Lambda takes ${id.toLowerCase()} for an endless loop and stops it`,
    heading: 'Dropped invocations',
    metric: one.metric('RecursiveInvocationsDropped', SUM),
    threshold: 1,
  };
  return { [`${id}Drops`]: bound };
}

function setAside(queues: Queues, derivation: Derivation | undefined): AlarmBounds {
  const { eventsDeadLetters, reconcileDeadLetters, relayFailures, scheduleFailures } = queues;
  const bound = (id: string, queue: typeof relayFailures, what: string): AlarmBound => ({
    // SQS reports nothing of a queue that nobody has used for hours.
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
    EventsDeadLetters: bound('EventsDeadLetters', eventsDeadLetters, 'dispatch gave a hint up'),
    ReconcileDeadLetters: bound('ReconcileDeadLetters', reconcileDeadLetters, 'reconcile gave its work up'),
    RelayFailures: bound('RelayFailures', relayFailures, 'relay gave records of the stream up'),
    ...(queues.placement && {
      PlacementDeadLetters: bound(
        'PlacementDeadLetters',
        queues.placement.deadLetters,
        'bind gave up what it was woken for',
      ),
    }),
    ScheduleFailures: bound('ScheduleFailures', scheduleFailures, 'a tick of the schedule failed'),
    ...(derivation && {
      DeriveDeadLetters: bound('DeriveDeadLetters', derivation.deadLetters, 'derive gave its work up'),
    }),
  };
}

function merged(parts: readonly AlarmBounds[]): AlarmBounds {
  return Object.assign({}, ...parts);
}
