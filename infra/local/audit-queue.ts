import { CreateQueueCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { ENVIRONMENT } from '../../lib/platform/index.ts';
import type { Definition } from './definition.ts';

/**
 * A copy of the definition in which functions with an audit policy also send events to this queue. Creates the queue;
 * an existing queue keeps its messages.
 *
 * @throws {Error} no function has an audit policy, or the name is invalid.
 */
export async function withAuditQueue(
  definition: Definition,
  { sqs, name }: { readonly sqs: SQSClient; readonly name: string },
): Promise<Definition> {
  const auditing = [...definition.functions.values()].filter(
    ({ environment }) => ENVIRONMENT.auditPolicy in environment,
  );
  if (auditing.length === 0) throw new Error('an audit queue needs an audit policy');
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: name }));
  const functions = new Map(definition.functions);
  for (const one of auditing) {
    const environment = { ...one.environment, [ENVIRONMENT.auditQueueUrl]: QueueUrl };
    functions.set(one.name, { ...one, environment });
  }
  return { ...definition, functions };
}
