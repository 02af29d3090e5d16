import { Duration, Stack } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  Metric,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { type MetricName, OUTCOMES, STATUSES, TABLE, VERBS } from '../../../lib/platform/index.ts';
import type { Api } from '../entrance/index.ts';
import type { Functions, Login } from '../functions/index.ts';
import type { Canary, Derivation, ServiceAccountTokens } from '../optional/index.ts';
import type { Queues, Table } from '../storage/index.ts';
import type { Alarms } from './alarms.ts';
import { type WinnowMetricProps, winnowMetric } from './winnow-metric.ts';

export interface DashboardProps {
  readonly alarms: Alarms;
  readonly api: Api;
  /** Absent if the deployment derives nothing. */
  readonly derivation?: Derivation | undefined;
  readonly tokens?: ServiceAccountTokens | undefined;
  readonly canary?: Canary | undefined;
  readonly functions: Functions;
  readonly login: Login;
  readonly queues: Queues;
  readonly table: Table;
}

const period = Duration.minutes(1);
const WHOLE_ROW = 24;
const SUM = { statistic: 'Sum', period };
const MAXIMUM = { statistic: 'Maximum', period };

/** A dashboard of a stack's health: its alarms, what clients and subscribers see, and the metrics of AWS. */
export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    const { alarms, api, canary, table } = props;
    new CloudWatchDashboard(this, 'Dashboard', {
      dashboardName: Stack.of(this).stackName,
      defaultInterval: Duration.hours(3),
      widgets: [
        [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms.all], width: WHOLE_ROW, height: 3 })],
        this.#requests(),
        this.#rules(),
        this.#frontDoor(api),
        this.#delivery(),
        ...(canary === undefined ? [] : [this.#canary()]),
        this.#protocol(),
        lambdas(props),
        dynamoDb(table),
        queueDepths(props),
      ],
    });
  }

  #metric(name: MetricName, props: WinnowMetricProps): Metric {
    return winnowMetric(this, name, { label: name, ...props });
  }

  #requests(): IWidget[] {
    const latency = VERBS.map((verb) =>
      this.#metric('RequestLatency', { statistic: 'p95', period, by: { verb }, label: verb }),
    );
    // Each answer is a sample of the metric.
    const answers = STATUSES.map((status) =>
      this.#metric('RequestLatency', { statistic: 'SampleCount', period, by: { status }, label: status }),
    );
    return row(['Latency by verb, p95 in ms', latency], ['Answers by status', answers]);
  }

  /** Admission rules. Each decided write is a sample of their metrics. */
  #rules(): IWidget[] {
    const outcomes = (name: 'PolicyLatency' | 'WebhookLatency') =>
      OUTCOMES.map((outcome) =>
        this.#metric(name, { statistic: 'SampleCount', period, by: { outcome }, label: outcome }),
      );
    return row(
      [
        'Time of admission rules for a write, p95 in ms',
        [
          this.#metric('PolicyLatency', { statistic: 'p95', period }),
          this.#metric('WebhookLatency', { statistic: 'p95', period }),
        ],
      ],
      ['Writes by decision of policies', outcomes('PolicyLatency')],
      ['Writes by decision of webhooks', outcomes('WebhookLatency')],
    );
  }

  /**
   * Events that no function behind the gateway sees: its own errors and refusals, and logins that could not be
   * checked.
   */
  #frontDoor({ rest }: Api): IWidget[] {
    const { deploymentStage: stage } = rest;
    return row(
      [
        'Errors of the gateway',
        [
          stage.metricServerError({ ...SUM, label: '5xx' }),
          stage.metricClientError({ ...SUM, label: '4xx' }),
        ],
      ],
      [
        'Latency of the gateway, p95 in ms',
        [stage.metricLatency({ statistic: 'p95', period, label: 'p95' })],
      ],
      [
        'Refused and unchecked logins, unsent audit events',
        [
          this.#metric('RefusedTokens', SUM),
          this.#metric('UncheckedLogins', SUM),
          this.#metric('UnsentAuditEvents', SUM),
        ],
      ],
    );
  }

  #delivery(): IWidget[] {
    const lag = ['p50', 'p90', 'Maximum'].map((statistic) =>
      this.#metric('DispatchLag', { statistic, period, label: statistic }),
    );
    return row(
      ['Commit until accepted by SQS, ms', lag],
      ['Oldest change not dispatched, ms', [this.#metric('JournalLag', MAXIMUM)]],
      ['Subscriptions catching up', [this.#metric('CatchingUpSubscriptions', MAXIMUM)]],
      [
        'Failed sends, cut message chains, messages set aside',
        [
          this.#metric('FailedSends', SUM),
          this.#metric('CutChains', SUM),
          this.#metric('SetAsideMessages', MAXIMUM),
        ],
      ],
    );
  }

  #canary(): IWidget[] {
    return row(
      [
        'Canary: 1 if all its checks succeed',
        [this.#metric('CanarySuccess', { statistic: 'Minimum', period })],
      ],
      ['Canary: change until message, ms', [this.#metric('CanaryDelay', MAXIMUM)]],
    );
  }

  #protocol(): IWidget[] {
    const holes = [this.#metric('HolesFilled', SUM), this.#metric('UndecidedHoles', SUM)];
    const retries = [this.#metric('Retries', SUM), this.#metric('WriteRetries', SUM)];
    return row(
      ['Holes', holes],
      ['Retries', retries],
      ['Throttled requests', [this.#metric('Throttles', SUM)]],
      ['Age of stream records, ms', [this.#metric('StreamAge', MAXIMUM)]],
      ['Oldest journal entry not compacted, ms', [this.#metric('OldestEntryAge', MAXIMUM)]],
      [
        'Age of the oldest GC task and of the oldest work item, ms',
        [this.#metric('LookLag', MAXIMUM), this.#metric('DueLag', MAXIMUM)],
      ],
    );
  }
}

function lambdas({ functions, login, derivation, tokens, canary }: DashboardProps): IWidget[] {
  const { fill, read, write, place, bind, relay, dispatch, reconcile } = functions;
  const authorizer = login.function && { authorizer: login.function };
  const chosen = { ...(bind && { bind }), ...(derivation && { derive: derivation.derive }) };
  const issue = tokens && { issue: tokens.issue };
  const all = Object.entries({
    read,
    write,
    place,
    fill,
    ...chosen,
    relay,
    dispatch,
    reconcile,
    ...authorizer,
    ...issue,
    ...(canary && { canary: canary.canary }),
  });
  return row(
    ['Lambda errors', all.map(([label, one]) => one.function.metricErrors({ ...SUM, label }))],
    [
      'Lambda duration, p95 in ms',
      all.map(([label, one]) => one.function.metricDuration({ statistic: 'p95', period, label })),
    ],
    ['Lambda throttles', all.map(([label, one]) => one.function.metricThrottles({ ...SUM, label }))],
    [
      'Invocations that Lambda dropped as a loop',
      Object.entries({ dispatch, reconcile, ...chosen }).map(([label, one]) =>
        one.function.metric('RecursiveInvocationsDropped', { ...SUM, label }),
      ),
    ],
    ['Age of the stream, ms', [relay.function.metric('IteratorAge', { ...MAXIMUM, label: 'relay' })]],
  );
}

function dynamoDb({ table }: Table): IWidget[] {
  const ofTable = (metricName: string) => table.metric(metricName, { ...SUM, label: `${metricName} table` });
  const ofIndexes = (metricName: string) =>
    TABLE.indexes.map(
      ({ name }) =>
        new Metric({
          namespace: 'AWS/DynamoDB',
          metricName,
          label: `${metricName} ${name}`,
          ...SUM,
          dimensionsMap: { TableName: table.tableName, GlobalSecondaryIndexName: name },
        }),
    );
  const everywhere = (...names: string[]) => names.flatMap((name) => [ofTable(name), ...ofIndexes(name)]);
  return row(
    ['DynamoDB throttles', everywhere('ReadThrottleEvents', 'WriteThrottleEvents')],
    ['DynamoDB read units', everywhere('ConsumedReadCapacityUnits')],
    ['DynamoDB write units', everywhere('ConsumedWriteCapacityUnits')],
  );
}

function queueDepths({ queues, derivation }: DashboardProps): IWidget[] {
  const { events, reconcile, eventsDeadLetters, reconcileDeadLetters, relayFailures, scheduleFailures } =
    queues;
  const { placement } = queues;
  const working = Object.entries({
    events,
    reconcile,
    ...(placement && { placement: placement.wake }),
    ...(derivation && { derive: derivation.queue }),
  });
  const aside = Object.entries({
    eventsDeadLetters,
    reconcileDeadLetters,
    ...(placement && { placementDeadLetters: placement.deadLetters }),
    ...(derivation && { deriveDeadLetters: derivation.deadLetters }),
    relayFailures,
    scheduleFailures,
  });
  return row(
    [
      'Messages waiting',
      working.map(([label, queue]) => queue.metricApproximateNumberOfMessagesVisible({ ...MAXIMUM, label })),
    ],
    [
      'Age of the oldest message, s',
      working.map(([label, queue]) => queue.metricApproximateAgeOfOldestMessage({ ...MAXIMUM, label })),
    ],
    [
      'Messages in dead-letter queues',
      aside.map(([label, queue]) => queue.metricApproximateNumberOfMessagesVisible({ ...MAXIMUM, label })),
    ],
  );
}

/** Graphs side by side that fill the width. */
function row(...graphs: readonly (readonly [title: string, left: IMetric[]])[]): IWidget[] {
  const width = WHOLE_ROW / graphs.length;
  return graphs.map(([title, left]) => new GraphWidget({ title, left, width, leftYAxis: { min: 0 } }));
}
