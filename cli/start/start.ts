import { constants } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { type LocalWinnow, startLocal } from '../../infra/local/index.ts';
import { refuseForeign, writeKubeconfig } from '../kubeconfig/index.ts';
import { screen } from '../screen.ts';
import type { StartOptions } from './command.ts';

/** Milliseconds from the signal to the end of the process, whatever is still under way then. */
const STOP_WITHIN = 4_500;

/** Keeps Winnow running on this machine until it is interrupted, and ends the process then. */
export async function start({ port, kubeconfig, data }: StartOptions): Promise<void> {
  await refuseForeign(kubeconfig);
  const keepsQueues = Boolean(process.env.AWS_ENDPOINT_URL_SQS);
  const winnow = await startLocal({
    port,
    ...(data === undefined ? {} : { dataDirectory: data }),
    logger: { ...console, debug: () => {}, info: () => {} },
  });
  const signal = interrupted();
  try {
    await writeKubeconfig(kubeconfig, winnow.url);
    await welcome(winnow, kubeconfig, keepsQueues);
    await signal;
    screen.say('Stopping.');
  } finally {
    await Promise.race([winnow.stop(), setTimeout(STOP_WITHIN)]);
  }
  // A function that could not be waited for would keep the process until its own time is up. Nothing that was
  // acknowledged is lost with it.
  process.exit();
}

async function welcome(
  { url, awsEndpoints }: LocalWinnow,
  kubeconfig: string,
  keepsQueues: boolean,
): Promise<void> {
  const subscriptions = keepsQueues ? 0 : await countSubscriptions(url);
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

/** Resolves with the first signal; a second one ends the process at once. */
function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    let signals = 0;
    const hear = (signal: 'SIGINT' | 'SIGTERM') => {
      signals += 1;
      if (signals > 1) process.exit(128 + constants.signals[signal]);
      resolve();
    };
    process.on('SIGINT', hear);
    process.on('SIGTERM', hear);
  });
}
