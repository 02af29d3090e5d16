import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { FAULTS } from '../../../lib/platform/index.ts';
import type { Api } from '../entrance/index.ts';
import type { Functions, Login, WinnowFunction } from '../functions/index.ts';
import type { Canary, Derivation, ServiceAccountTokens } from '../optional/index.ts';
import type { AlarmBound, AlarmBounds } from './alarm-bound.ts';
import { faultsMetric } from './fault-filters.ts';

export interface Parts {
  readonly api: Api;
  readonly functions: Functions;
  readonly login: Login;
  /** Absent if the deployment derives nothing. */
  readonly derivation?: Derivation | undefined;
  /** Absent if the deployment has no canary. */
  readonly canary?: Canary | undefined;
  /** Absent if the deployment issues no tokens. */
  readonly tokens?: ServiceAccountTokens | undefined;
}

/** The threshold for five minutes. Smaller numbers come from invalid requests of clients. */
const SERVER_ERRORS = 5;
/** The threshold for the time in ms for which an invocation of the schedule waited. */
const LATE = 2 * 60_000;

const HAPPENS = { periods: 1, measured: 'when it happens' } as const;

/**
 * The alarms, as few as possible, because AWS bills every metric of an alarm. `Faults` has all that functions can
 * report, and their crashes. The other alarms have what only AWS sees: the gateway's own errors with functions that
 * Lambda did not start, and a schedule that does not run.
 */
export function partBounds(scope: Construct, { api, functions, derivation, canary }: Parts): AlarmBounds {
  const { reconcile, bind } = functions;
  return {
    Faults: {
      ...HAPPENS,
      what: `functions report faults. Find the reasons with Logs Insights in the functions' log groups: ${faultsQuery()}`,
      heading: 'Faults',
      metric: faultsMetric(scope, { statistic: 'Sum', period: Duration.millis(FAULTS.period) }),
      threshold: 1,
    },
    ServerErrors: {
      ...HAPPENS,
      what: 'the API answers with server errors',
      heading: 'Server errors',
      metric: api.rest.deploymentStage.metricServerError({ statistic: 'Sum', period: Duration.minutes(5) }),
      threshold: SERVER_ERRORS,
    },
    Schedule: scheduleOf(reconcile),
    ...(bind && { BindSchedule: scheduleOf(bind) }),
    ...(derivation && { DeriveSchedule: scheduleOf(derivation.derive) }),
    ...(canary && { CanarySchedule: scheduleOf(canary.canary) }),
  };
}

/** The functions whose logs have faults. */
export function faultyFunctions({ functions, login, derivation, canary, tokens }: Parts): WinnowFunction[] {
  const chosen = [login.function, derivation?.derive, canary?.canary, tokens?.issue];
  return [...functions.all, ...chosen.filter((one) => one !== undefined)];
}

/** A query of CloudWatch Logs Insights for the lines that the metric `Faults` counts. */
function faultsQuery(): string {
  const crashes = FAULTS.crashes.map((text) => `@message like "${text}"`).join(' or ');
  return `filter ${FAULTS.field} > 0 or ${crashes} | sort @timestamp desc`;
}

/**
 * The alarm for a function that a schedule invokes every minute. Lambda measures only such invocations, which are
 * asynchronous, so missing data means that the schedule does not run. Lambda does not bill the metric.
 */
function scheduleOf({ function: one, entryPoint }: WinnowFunction): AlarmBound {
  return {
    what: `the schedule does not run ${entryPoint}, or late`,
    heading: 'Schedule',
    metric: one.metric('AsyncEventAge', { statistic: 'Maximum', period: Duration.minutes(1) }),
    threshold: LATE,
    periods: 3,
    measured: 'every minute',
  };
}
