import { httpSubscription, Replica } from '../../../lib/client/index.ts';
import { openSqliteStore } from '../../../lib/client/sqlite/index.ts';
import { openSqsQueue } from '../../../lib/client/sqs-queue.ts';

/**
 * A consumer that a test starts: `dying-consumer.ts SERVER NAME FILE DELETIONS`. It crashes, as by a power cut,
 * between the store and deletion number DELETIONS. It prints the set after each change.
 */
const [server = '', name = '', file = '', deletions = ''] = process.argv.slice(2);

let left = Number(deletions);
const sqs = await openSqsQueue();
const queue = {
  ...sqs,
  delete: async (...parameters: Parameters<typeof sqs.delete>) => {
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    await sqs.delete(...parameters);
    await print();
  },
};

const { queueUrl } = httpSubscription({ server, name });
const replica = new Replica({ queueUrl, store: openSqliteStore(file), queue });
replica.on('error', ({ message }) => console.error(message));
process.on('SIGTERM', () => void replica.stop());
await print();
await replica.run();

async function print(): Promise<void> {
  const set: string[] = [];
  for await (const { metadata } of replica.values()) set.push(`${metadata.name}@${metadata.resourceVersion}`);
  console.log(set.join(' '));
}
