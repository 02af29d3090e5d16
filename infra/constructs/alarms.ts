import { Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { AlarmBound } from './alarm-bound.ts';
import { type Parts, partBounds } from './part-bounds.ts';
import { signalBounds } from './signal-bounds.ts';

/** The alarms for the operator. docs/runbook.md has a heading for each. */
export class Alarms extends Construct {
  /** Every alarm publishes here, when it fires and when it returns to OK. */
  readonly topic: Topic;
  readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, parts: Parts) {
    super(scope, id);
    this.topic = this.#openTopic();
    const { canary, derivation, functions } = parts;
    const chosen = {
      derives: derivation !== undefined,
      sendsAudit: functions.auditQueue !== undefined,
      tries: canary !== undefined,
    };
    const bounds = { ...partBounds(parts), ...signalBounds(this, chosen) };
    this.all = Object.entries(bounds).map(([name, bound]) => this.#add(name, bound));
  }

  /** Creates the topic. `enforceSSL` replaces the default policy, which allows the account to publish. */
  #openTopic(): Topic {
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsOfThisAccount',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    return topic;
  }

  #add(id: string, bound: AlarmBound): Alarm {
    const { metric, threshold, isLeast = false, periods, measured, what, heading } = bound;
    const always = measured === 'every minute';
    const alarm = new Alarm(this, id, {
      alarmDescription: `Winnow: ${what}. See docs/runbook.md#${heading.toLowerCase().replaceAll(' ', '-')}`,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: isLeast
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: always ? TreatMissingData.MISSING : TreatMissingData.NOT_BREACHING,
    });
    const publish = new SnsAction(this.topic);
    alarm.addAlarmAction(publish);
    alarm.addOkAction(publish);
    // Missing data has its own state, so that a new stack does not look broken.
    if (always) alarm.addInsufficientDataAction(publish);
    return alarm;
  }
}
