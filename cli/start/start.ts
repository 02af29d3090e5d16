import { type LocalWinnow, startLocal } from '../../infra/local/index.ts';
import { refuseForeign, writeKubeconfig } from '../kubeconfig/index.ts';
import { screen } from '../screen.ts';
import type { StartOptions } from './command.ts';

/** Keeps Winnow running on this machine until it is interrupted. */
export async function start({ port, kubeconfig, data }: StartOptions): Promise<void> {
  await refuseForeign(kubeconfig);
  const winnow = await startLocal({
    port,
    ...(data === undefined ? {} : { dataDirectory: data }),
    logger: { ...console, debug: () => {}, info: () => {} },
  });
  try {
    await writeKubeconfig(kubeconfig, winnow.url);
    await welcome(winnow, kubeconfig);
    await interrupted();
    screen.say('Stopping.');
  } finally {
    await winnow.stop();
  }
}

async function welcome({ url, awsEndpoints }: LocalWinnow, kubeconfig: string): Promise<void> {
  const subscriptions = await countSubscriptions(url);
  showWelcome({ url, sqs: awsEndpoints.sqs, kubeconfig });
  if (subscriptions > 0) {
    screen.say(
      `Queues are kept in memory only: that of each subscription (${subscriptions}) is made anew, with a fresh snapshot.`,
    );
  }
}

interface Welcome {
  readonly url: string;
  readonly sqs: string;
  readonly kubeconfig: string;
}

function showWelcome({ url, sqs, kubeconfig }: Welcome): void {
  screen.title(`Winnow runs at ${url}`);
  screen.say(`Queues answer at ${sqs} (any region, any credentials). Ctrl-C stops it. To paste:`);
  screen.blank();
  const kubectl = `kubectl --kubeconfig ${kubeconfig}`;
  screen.command(`${kubectl} apply -f test/fixtures/pods.yaml`);
  screen.command(`${kubectl} get pods -l 'environment in (production, qa),tier!=frontend' --show-labels`);
  screen.command(`${kubectl} apply -f test/fixtures/subscription.yaml && ${kubectl} get subscriptions`);
  screen.blank();
}

async function countSubscriptions(url: string): Promise<number> {
  const response = await fetch(`${url}/apis/winnow.dev/v1/subscriptions`);
  const { items = [] } = (await response.json()) as { items?: unknown[] };
  return items.length;
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}
