import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Queues } from './queues.ts';

export interface AlarmsProps {
  readonly queues: Queues;
}

/** What tells an operator; docs/runbook.md has a heading for each. */
export class Alarms extends Construct {
  /** Every alarm is published here, going off and coming back. */
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { queues }: AlarmsProps) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    this.#messagesIn('EventsDeadLetters', queues.eventsDeadLetters, 'dispatch gave a hint up');
    this.#messagesIn('ReconcileDeadLetters', queues.reconcileDeadLetters, 'reconcile gave its work up');
    this.#messagesIn('RelayFailures', queues.relayFailures, 'relay gave records of the stream up');
    this.#messagesIn('ScheduleFailures', queues.scheduleFailures, 'a tick of the schedule failed');
  }

  #messagesIn(id: string, queue: IQueue, what: string): void {
    const alarm = new Alarm(this, id, {
      alarmDescription: `Winnow: ${what}. See "Messages in ${id}" in docs/runbook.md`,
      metric: queue.metricApproximateNumberOfMessagesVisible({
        period: Duration.minutes(1),
        statistic: 'Maximum',
      }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      // SQS reports nothing of a queue that nobody has used for hours.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    const publish = new SnsAction(this.topic);
    alarm.addAlarmAction(publish);
    alarm.addOkAction(publish);
  }
}
