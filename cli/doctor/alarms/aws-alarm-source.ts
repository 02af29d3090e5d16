import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, DescribeAlarmsCommand, type MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { GetTopicAttributesCommand, paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import { Fault } from '../../connection/index.ts';
import { type AskedOfAws, explainAws } from '../explain-aws.ts';
import type { AlarmSource, FoundAlarm, FoundTopic } from './alarm-source.ts';

/** The most names in one call of DescribeAlarms. */
const AT_ONCE = 100;
const SET_UP = 'Set AWS_REGION, and AWS_PROFILE or keys that may read the stack, its alarms and topics';

const STACK = { service: 'CloudFormation', to: 'read the stack', needs: 'cloudformation:ListStackResources' };
const ALARMS = { service: 'CloudWatch', to: 'read the alarms', needs: 'cloudwatch:DescribeAlarms' };
const TOPICS = {
  service: 'SNS',
  to: 'read the topic',
  needs: 'sns:GetTopicAttributes and sns:ListSubscriptionsByTopic',
};

/** Reads from AWS, with the credentials and the region in the standard variables and files. */
export class AwsAlarmSource implements AlarmSource {
  readonly #stackName: string;
  readonly #stacks = new CloudFormationClient();
  readonly #watch = new CloudWatchClient();
  readonly #topics = new SNSClient();

  constructor(stackName: string) {
    this.#stackName = stackName;
  }

  expected(): Promise<readonly string[] | undefined> {
    return asked(STACK, /does not exist/, async () => {
      const pages = paginateListStackResources({ client: this.#stacks }, { StackName: this.#stackName });
      const names: string[] = [];
      for await (const { StackResourceSummaries = [] } of pages) {
        for (const { ResourceType, PhysicalResourceId } of StackResourceSummaries) {
          if (ResourceType === 'AWS::CloudWatch::Alarm') names.push(PhysicalResourceId ?? '');
        }
      }
      return names;
    });
  }

  async alarms(names: readonly string[]): Promise<readonly FoundAlarm[]> {
    const found: FoundAlarm[] = [];
    for (let at = 0; at < names.length; at += AT_ONCE) {
      const AlarmNames = names.slice(at, at + AT_ONCE);
      const command = new DescribeAlarmsCommand({ AlarmNames, MaxRecords: AT_ONCE });
      const page = await asked(ALARMS, NEVER, () => this.#watch.send(command));
      found.push(...(page?.MetricAlarms ?? []).map(foundAlarm));
    }
    return found;
  }

  topic(arn: string): Promise<FoundTopic | undefined> {
    return asked(TOPICS, /does not exist|NotFound/, async () => {
      const { Attributes = {} } = await this.#topics.send(new GetTopicAttributesCommand({ TopicArn: arn }));
      let [confirmed, pending] = [0, 0];
      for await (const page of paginateListSubscriptionsByTopic(
        { client: this.#topics },
        { TopicArn: arn },
      )) {
        for (const { SubscriptionArn = '' } of page.Subscriptions ?? []) {
          if (SubscriptionArn.startsWith('arn:')) confirmed += 1;
          if (SubscriptionArn === 'PendingConfirmation') pending += 1;
        }
      }
      return {
        arn,
        policy: Attributes.Policy ?? '{}',
        key: Attributes.KmsMasterKeyId ?? '',
        confirmed,
        pending,
      };
    });
  }
}

const NEVER = /^\b$/;

/** Calls AWS. Returns undefined if the error matches `absent`. */
async function asked<Answer>(
  what: AskedOfAws,
  absent: RegExp,
  ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error && absent.test(`${error.name}: ${error.message}`)) return undefined;
    const explained = explainAws(error, what)?.message ?? `${what.service} answered: ${error}`;
    throw new Fault({ what: explained, advice: SET_UP });
  }
}

function foundAlarm(alarm: MetricAlarm): FoundAlarm {
  const { AlarmActions = [], InsufficientDataActions = [] } = alarm;
  return {
    name: alarm.AlarmName ?? '',
    arn: alarm.AlarmArn ?? '',
    state: alarm.StateValue ?? 'INSUFFICIENT_DATA',
    since: (alarm.StateTransitionedTimestamp ?? alarm.StateUpdatedTimestamp)?.getTime() ?? 0,
    isArmed: alarm.ActionsEnabled === true,
    topics: AlarmActions.filter((action) => /^arn:[^:]+:sns:/.test(action)),
    tellsSilence: InsufficientDataActions.length > 0,
    heading: /docs\/runbook\.md#(\S+)$/.exec(alarm.AlarmDescription ?? '')?.[1] ?? '',
  };
}
