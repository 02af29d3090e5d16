import assert from 'node:assert/strict';
import { GetQueueUrlCommand } from '@aws-sdk/client-sqs';
import { remains } from '../remains.ts';
import type { Step } from '../trial.ts';

export const destroy: Step = {
  name: 'cdk destroy',
  run: async (trial) => {
    const { deployment, inbox, options } = trial;
    const { http, terminal, outputs } = deployment;
    const QueueName = inbox.queueUrl.split('/').at(-1);
    assert.match(await terminal.run('kubectl delete subscription frontends'), /"frontends" deleted/);
    await assert.rejects(inbox.sqs.send(new GetQueueUrlCommand({ QueueName })), /does not exist|NonExistent/);
    await options.cdk.destroy();
    trial.destroyed = true;
    const answer = await http.send('GET', '/version').catch(() => undefined);
    assert.notEqual(answer?.status, 200);
    // The table is retained, and nothing else.
    assert.deepEqual(await remains(options), { tables: [outputs.TableName], queues: [], logGroups: [] });
    return 'its queue went with the subscription; the table alone is left';
  },
};
