import { startLocal } from '../../../infra/local/index.ts';
import { silentLogger } from '../../../lib/platform/index.ts';

/** A whole local Winnow, in a process of its own: who asks it is not measured with it. */

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

/** What it answers, whenever it is sent anything: CPU time since it began, in ms. */
export interface ServiceCpu {
  readonly cpu: number;
}

const winnow = await startLocal({ logger: silentLogger });
const { url, sqsClientConfig, dynamodbClientConfig } = winnow;
const ready: ServiceReady = { url, sqs: reached(sqsClientConfig), dynamodb: reached(dynamodbClientConfig) };
process.send?.(ready);
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const answer: ServiceCpu = { cpu: (user + system) / 1_000 };
  process.send?.(answer);
});
process.on('disconnect', () => void winnow.stop().then(() => process.exit(0)));

/** Without the credentials, which do not matter. */
function reached({ endpoint, region }: Reached): Reached {
  return { endpoint, region };
}
