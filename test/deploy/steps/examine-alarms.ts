import assert from 'node:assert/strict';
import { SNSClient, SubscribeCommand, UnsubscribeCommand } from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { winnowWith } from '../../support/service/run-cli.ts';
import type { Step, Trial } from '../trial.ts';

/** Nobody hears them at first; then a queue does. What state they are in is the target's affair. */
export const examineAlarms: Step = {
  name: 'winnow doctor --alarms',
  run: async (trial) => {
    const unheard = await look(trial);
    assert.match(unheard, /^ {2}topic has subscribers .* wrong +\S+ has no subscription/m);
    const unsubscribe = await subscribeQueue(trial);
    try {
      const heard = await look(trial);
      assert.match(heard, /^ {2}topic has subscribers .* ok +1 confirmed subscription$/m);
      for (const step of ['find the stack', 'alarms exist', 'alarms reach their topic']) {
        assert.match(heard, new RegExp(`^  ${step} .* s  ok `, 'm'), heard);
      }
    } finally {
      await unsubscribe();
    }
    return 'all are there and reach their topic';
  },
};

async function look({ options }: Trial): Promise<string> {
  const { target, stackName } = options;
  const { out, errors } = await winnowWith(target.variables, 'doctor', '--alarms', '--stack', stackName);
  assert.equal(errors, '', out);
  return out;
}

/** Gives how to undo it. */
async function subscribeQueue({ options, deployment }: Trial): Promise<() => Promise<void>> {
  const [sns, sqs] = [new SNSClient(options.target.client), new SQSClient(options.target.client)];
  const { QueueUrl } = await sqs.send(
    new CreateQueueCommand({ QueueName: `${options.stackName}-alarms`.toLowerCase() }),
  );
  const described = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  const { SubscriptionArn } = await sns.send(
    new SubscribeCommand({
      TopicArn: deployment.outputs.AlarmTopicArn,
      Protocol: 'sqs',
      Endpoint: described.Attributes?.QueueArn,
      ReturnSubscriptionArn: true,
    }),
  );
  return async () => {
    await sns.send(new UnsubscribeCommand({ SubscriptionArn }));
    await sqs.send(new DeleteQueueCommand({ QueueUrl }));
  };
}
