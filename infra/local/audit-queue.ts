import { CreateQueueCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { ENVIRONMENT } from '../../lib/platform/index.ts';
import type { Definition } from './definition.ts';

/**
 * The same definition, in which whoever has an audit policy sends its events to this queue as well. The queue is made;
 * where it is, it keeps what it has.
 *
 * @throws {Error} there is no audit policy, or that is no name of a queue.
 */
export async function withAuditQueue(
  definition: Definition,
  { sqs, name }: { readonly sqs: SQSClient; readonly name: string },
): Promise<Definition> {
  const auditing = [...definition.functions.values()].filter(
    ({ environment }) => ENVIRONMENT.auditPolicy in environment,
  );
  if (auditing.length === 0) throw new Error('a queue of audit events is of no use without an audit policy');
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: name }));
  const functions = new Map(definition.functions);
  for (const one of auditing) {
    const environment = { ...one.environment, [ENVIRONMENT.auditQueueUrl]: QueueUrl };
    functions.set(one.name, { ...one, environment });
  }
  return { ...definition, functions };
}
