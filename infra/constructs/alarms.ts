import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type MetricName, TIMING } from '../../lib/platform/index.ts';
import type { Queues } from './queues.ts';
import { winnowMetric } from './winnow-metric.ts';

export interface AlarmsProps {
  readonly queues: Queues;
}

/**
 * What a metric that is missing means. One that the schedule measures every minute, on an idle stack too, is missing
 * when the schedule stands still, and that is told. One that is measured when something happens is missing when
 * nothing does, and that is well.
 */
type Measured = 'every minute' | 'when it happens';

interface Bound {
  readonly metric: IMetric;
  /** Reached by so many periods in a row. */
  readonly threshold: number;
  readonly periods: number;
  readonly measured: Measured;
  readonly what: string;
  /** Of docs/runbook.md. */
  readonly heading: string;
}

interface SignalBound extends Omit<Bound, 'metric'> {
  readonly statistic: string;
  readonly period: Duration;
}

/** Later than that is no spell of a busy minute. In ms. */
const LATE = { journal: 2 * 60_000, dispatch: 30_000 };
/** Entries this old should have been compacted hours ago; their rows still last for hours. In ms. */
const OVERDUE = TIMING.retention + 6 * 3_600_000;
/** Of a queue that keeps refusing: it is tried about four times an hour in the end, and more often at first. */
const REFUSALS_AN_HOUR = 3;
const THROTTLES_IN_FIVE_MINUTES = 50;

/** What is wrong with the service itself, by the metrics that its functions publish. */
const SIGNALS: Readonly<Partial<Record<MetricName, SignalBound>>> = {
  JournalLag: {
    what: 'changes wait for dispatch, or the schedule stands still',
    heading: 'Journal lag',
    ...{ statistic: 'Maximum', period: Duration.minutes(1), threshold: LATE.journal, periods: 3 },
    measured: 'every minute',
  },
  DispatchLag: {
    what: 'messages reach subscribers late',
    heading: 'Dispatch lag',
    ...{ statistic: 'p90', period: Duration.minutes(5), threshold: LATE.dispatch, periods: 3 },
    measured: 'when it happens',
  },
  FailedSends: {
    what: "a subscriber's queue refuses messages",
    heading: 'Failed sends',
    ...{ statistic: 'Sum', period: Duration.hours(1), threshold: REFUSALS_AN_HOUR, periods: 1 },
    measured: 'when it happens',
  },
  // Before an index could lag for TIMING.relabelWindow, beyond which a LIST may miss what it holds.
  Throttles: {
    what: 'the table or one of its indexes is throttled',
    heading: 'Throttling',
    ...{ statistic: 'Sum', period: Duration.minutes(5), threshold: THROTTLES_IN_FIVE_MINUTES, periods: 2 },
    measured: 'when it happens',
  },
  OldestEntryAge: {
    what: 'compaction does not advance',
    heading: 'Compaction stalled',
    ...{ statistic: 'Maximum', period: Duration.hours(1), threshold: OVERDUE, periods: 1 },
    measured: 'every minute',
  },
  UndecidedHoles: {
    what: 'resourceVersions stay undecided',
    heading: 'Undecided holes',
    ...{ statistic: 'Sum', period: Duration.minutes(5), threshold: 1, periods: 3 },
    measured: 'when it happens',
  },
};

/** What tells an operator; docs/runbook.md has a heading for each. */
export class Alarms extends Construct {
  /** Every alarm is published here, going off and coming back. */
  readonly topic: Topic;
  readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, { queues }: AlarmsProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    const signals = Object.entries(SIGNALS) as [MetricName, SignalBound][];
    this.all = [
      this.#messagesIn('EventsDeadLetters', queues.eventsDeadLetters, 'dispatch gave a hint up'),
      this.#messagesIn('ReconcileDeadLetters', queues.reconcileDeadLetters, 'reconcile gave its work up'),
      this.#messagesIn('RelayFailures', queues.relayFailures, 'relay gave records of the stream up'),
      this.#messagesIn('ScheduleFailures', queues.scheduleFailures, 'a tick of the schedule failed'),
      ...signals.map(([name, bound]) =>
        this.#add(name, { ...bound, metric: winnowMetric(this, name, bound) }),
      ),
    ];
  }

  #messagesIn(id: string, queue: IQueue, what: string): Alarm {
    return this.#add(id, {
      ...{ what, heading: `Messages in ${id}`, threshold: 1, periods: 1 },
      metric: queue.metricApproximateNumberOfMessagesVisible({
        period: Duration.minutes(1),
        statistic: 'Maximum',
      }),
      // SQS reports nothing of a queue that nobody has used for hours.
      measured: 'when it happens',
    });
  }

  #add(id: string, { metric, threshold, periods, measured, what, heading }: Bound): Alarm {
    const always = measured === 'every minute';
    const alarm = new Alarm(this, id, {
      alarmDescription: `Winnow: ${what}. See docs/runbook.md#${heading.toLowerCase().replaceAll(' ', '-')}`,
      ...{ metric, threshold, evaluationPeriods: periods },
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: always ? TreatMissingData.MISSING : TreatMissingData.NOT_BREACHING,
    });
    const publish = new SnsAction(this.topic);
    alarm.addAlarmAction(publish);
    alarm.addOkAction(publish);
    // Its own state, so that a stack that was deployed a moment ago is not taken for one that is broken.
    if (always) alarm.addInsufficientDataAction(publish);
    return alarm;
  }
}
