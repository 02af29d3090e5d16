import { startLocal } from '../../../infra/local/index.ts';
import { silentLogger } from '../../../lib/platform/index.ts';

/** A whole local Winnow, in a process of its own: who asks it is not measured with it. */

/** What the process says of itself once it runs. */
export interface ServiceReady {
  readonly url: string;
  readonly sqs: { readonly endpoint: string; readonly region: string };
}

/** What it answers, whenever it is sent anything: CPU time since it began, in ms. */
export interface ServiceCpu {
  readonly cpu: number;
}

const winnow = await startLocal({ logger: silentLogger });
const { endpoint, region } = winnow.sqsClientConfig;
const ready: ServiceReady = { url: winnow.url, sqs: { endpoint, region } };
process.send?.(ready);
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const answer: ServiceCpu = { cpu: (user + system) / 1_000 };
  process.send?.(answer);
});
process.on('disconnect', () => void winnow.stop().then(() => process.exit(0)));
