import { parseArgs } from 'node:util';
import { startLocal } from '../local/start-local.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { screen } from './screen.ts';

const USAGE = `npm start -- [--port 8080] [--kubeconfig .winnow/kubeconfig] [--data DIR]

  --port        where the API listens, on loopback
  --kubeconfig  where to write a kubeconfig for kubectl and Kubernetes clients
  --data        keep the table in this folder; without it everything goes when Winnow stops`;

/** Keeps Winnow running on this machine until it is interrupted. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8080' },
      kubeconfig: { type: 'string', default: '.winnow/kubeconfig' },
      data: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    screen.say(USAGE);
    return;
  }
  const winnow = await startLocal({
    port: parsePort(values.port),
    ...(values.data === undefined ? {} : { dataDirectory: values.data }),
    logger: { ...console, debug: () => {}, info: () => {} },
  });
  await writeKubeconfig(values.kubeconfig, winnow.url);
  const subscriptions = await countSubscriptions(winnow.url);
  showWelcome({ url: winnow.url, sqs: winnow.awsEndpoints.sqs, kubeconfig: values.kubeconfig });
  if (subscriptions > 0) {
    screen.say(
      `Queues are kept in memory only: that of each subscription (${subscriptions}) is made anew, with a fresh snapshot.`,
    );
  }
  await interrupted();
  screen.say('Stopping.');
  await winnow.stop();
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`--port ${text} is not a port`);
  return port;
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

try {
  await main();
} catch (error) {
  screen.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
