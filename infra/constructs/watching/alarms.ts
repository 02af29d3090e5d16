import { Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Gaps } from '../../emulators.ts';
import type { AlarmBound } from './alarm-bound.ts';
import { addFaultFilters } from './fault-filters.ts';
import { faultyFunctions, type Parts, partBounds } from './part-bounds.ts';

export interface AlarmsProps extends Parts {
  /** The features that the emulator lacks. */
  readonly gaps?: Gaps;
}

/** The alarms for the operator. docs/runbook.md has a heading for each. */
export class Alarms extends Construct {
  /** Every alarm publishes here, when it fires and when it returns to OK. */
  readonly topic: Topic;
  readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, { gaps = {}, ...parts }: AlarmsProps) {
    super(scope, id);
    this.topic = this.#openTopic();
    if (gaps['metric-filters'] === undefined) {
      addFaultFilters(
        this,
        faultyFunctions(parts).map(({ logGroup }) => logGroup),
      );
    }
    this.all = Object.entries(partBounds(this, parts)).map(([name, bound]) => this.#add(name, bound));
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
    const { metric, threshold, periods, measured, what, heading } = bound;
    const always = measured === 'every minute';
    const alarm = new Alarm(this, id, {
      alarmDescription: `Winnow: ${what}. See docs/runbook.md#${heading.toLowerCase().replaceAll(' ', '-')}`,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
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
