import assert from 'node:assert/strict';
import { GetQueueUrlCommand } from '@aws-sdk/client-sqs';
import { gapsOf } from '../../../infra/emulators.ts';
import { remains } from '../remains.ts';
import type { Step, TrialOptions } from '../trial.ts';

/** Whether an emulator makes log groups by itself, and this is one: a known gap, and no fault of the stack. */
function isMadeBy({ target, stackName }: TrialOptions, logGroup: string): boolean {
  return (
    gapsOf(target.emulator)['log-groups'] !== undefined && logGroup.startsWith(`/aws/lambda/${stackName}-`)
  );
}

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
    const { logGroups, ...left } = await remains(options);
    assert.deepEqual(left, { tables: [outputs.TableName], queues: [] });
    const own = logGroups.filter((name) => isMadeBy(options, name));
    assert.deepEqual(own, logGroups, 'log groups of the stack are left');
    const known = own.length > 0 ? `, and ${own.length} log groups that ${options.target.name} makes` : '';
    return `its queue went with the subscription; the table alone is left${known}`;
  },
};
