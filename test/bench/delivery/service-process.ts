import { startLocal } from '../../../infra/local/index.ts';
import { silentLogger } from '../../../lib/platform/index.ts';
import { type FaultyQueues, type QueueFaults, startFaultyQueues } from './faulty-queues.ts';

/**
 * A whole local Winnow, in a process of its own: who asks it is not measured with it. With the argument `faulty` its
 * functions reach their queues through what can stall and deny them.
 */

interface Reached {
  readonly endpoint: string;
  readonly region: string;
}

/** What the process says of itself once it runs. */
export interface ServiceReady {
  readonly url: string;
  readonly sqs: Reached;
  readonly dynamodb: Reached;
}

/** What it may be sent: that queues stall or are denied from now on. Anything else only asks for an answer. */
export type ServiceOrder = QueueFaults | 'cpu';

/** What it answers, whenever it is sent anything: CPU time since it began, in ms. */
export interface ServiceCpu {
  readonly cpu: number;
}

/**
 * `faulty`: queues can fail. `newest`: the table has the newest schema, as that of `winnow start`. `no-signal`: writes do
 * not wake watches.
 */
export type ServiceFlag = 'faulty' | 'newest' | 'no-signal';

let queues: FaultyQueues | undefined;
const betweenQueues = async (endpoint: string) => {
  queues = await startFaultyQueues(endpoint);
  return queues.url;
};
const fault = process.argv.includes('faulty') ? { fault: { betweenQueues } } : {};
const winnow = await startLocal({
  logger: silentLogger,
  newestSchema: process.argv.includes('newest'),
  signal: !process.argv.includes('no-signal'),
  // A crowd subscribes beside others, in one namespace.
  subscribing: { subscriptionsPerNamespace: 10_000 },
  ...fault,
});
const { url, sqsClientConfig, dynamodbClientConfig } = winnow;
const ready: ServiceReady = { url, sqs: reached(sqsClientConfig), dynamodb: reached(dynamodbClientConfig) };
process.send?.(ready);
process.on('message', (order: ServiceOrder) => {
  if (order !== 'cpu' && queues !== undefined) queues.faults = order;
  const { user, system } = process.cpuUsage();
  const answer: ServiceCpu = { cpu: (user + system) / 1_000 };
  process.send?.(answer);
});
process.on('disconnect', () => void winnow.stop().then(() => process.exit(0)));

/** Without the credentials, which do not matter. */
function reached({ endpoint, region }: Reached): Reached {
  return { endpoint, region };
}
