import { constants } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import {
  type LocalWinnow,
  readAuditPolicy,
  readSchedulerProfile,
  startLocal,
} from '../../infra/local/index.ts';
import { type Access, Connection } from '../connection/index.ts';
import { refuseForeign, writeKubeconfig } from '../kubeconfig/index.ts';
import { screen } from '../screen.ts';
import type { StartOptions } from './command.ts';
import { type Door, openDoor } from './open-door.ts';

/**
 * Milliseconds from when the signal is heard to the end of the process, whatever is still under way then. Under load a
 * signal and a timer are heard late, each by up to a second.
 */
const STOP_WITHIN = 3_000;

/** Keeps Winnow running on this machine until it is interrupted, and ends the process then. */
export async function start(options: StartOptions): Promise<void> {
  const { port, kubeconfig, data, derived, placement, canary, auditPolicy, auditQueue, watchesPerUser } =
    options;
  const { allowedHosts } = options;
  if (auditQueue !== undefined && auditPolicy === undefined) {
    throw new Error('--audit-queue is of no use without --audit-policy, which says what is audited');
  }
  await refuseForeign(kubeconfig);
  const door = await openDoor(options);
  const keepsQueues = Boolean(process.env.AWS_ENDPOINT_URL_SQS);
  const winnow = await startLocal({
    port,
    placement,
    canary,
    watchesPerUser,
    requestsPerUser: options.requestsPerUser,
    authorNotSeenAfter: options.authorNotSeenAfter,
    newestSchema: true,
    schedulerProfile: await readSchedulerProfile(options),
    serviceClusterIPRange: options.serviceClusterIpRange,
    tls: door.tls,
    allowedHosts,
    authenticationConfig: door.authenticationConfig,
    serviceAccountTokens: door.serviceAccountTokens,
    auditQueue,
    ...(door.users === undefined ? {} : { users: door.users }),
    ...(data === undefined ? {} : { dataDirectory: data }),
    ...(derived === undefined ? {} : { derived }),
    ...(auditPolicy === undefined ? {} : { auditPolicy: await readAuditPolicy(auditPolicy) }),
    logger: { ...console, debug: () => {}, info: () => {} },
  });
  const signal = interrupted();
  const run = async () => {
    const { url, authority } = winnow;
    await writeKubeconfig(kubeconfig, url, { authority, token: door.token });
    await welcome(winnow, { kubeconfig, keepsQueues, door });
    await signal;
  };
  try {
    const failure = await Promise.race([run(), winnow.lost]).catch((error: Error) => error);
    if (failure !== undefined) screen.error(`${failure.message}. Winnow ends; what it acknowledged is kept.`);
    process.exitCode = failure === undefined ? 0 : 1;
    screen.say('Stopping.');
  } finally {
    await Promise.race([winnow.stop(), setTimeout(STOP_WITHIN)]);
  }
  // A function that could not be waited for would keep the process until its own time is up. Nothing that was
  // acknowledged is lost with it.
  process.exit();
}

interface Started {
  readonly kubeconfig: string;
  readonly keepsQueues: boolean;
  readonly door: Door;
}

async function welcome(winnow: LocalWinnow, { kubeconfig, keepsQueues, door }: Started): Promise<void> {
  const { url, awsEndpoints } = winnow;
  const subscriptions = keepsQueues ? 0 : await countSubscriptions(winnow, door);
  showWelcome({ url, sqs: awsEndpoints.sqs, kubeconfig, asks: door.token !== undefined });
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
  /** Whether it asks for a token. */
  readonly asks: boolean;
}

function showWelcome({ url, sqs, kubeconfig, asks }: Welcome): void {
  screen.title(`Winnow runs at ${url}`);
  if (asks) screen.say(`It asks for a token: the kubeconfig has that of "admin", who may do everything.`);
  screen.say(`Queues answer at ${sqs} (any region, any credentials). Ctrl-C stops it. To paste:`);
  screen.blank();
  const kubectl = `kubectl --kubeconfig ${kubeconfig}`;
  screen.command(`${kubectl} apply -f test/fixtures/pods.yaml`);
  screen.command(`${kubectl} get pods -l 'environment in (production, qa),tier!=frontend' --show-labels`);
  screen.command(`${kubectl} apply -f test/fixtures/subscription.yaml && ${kubectl} get subscriptions`);
  screen.blank();
}

async function countSubscriptions({ url, authority }: LocalWinnow, { token }: Door): Promise<number> {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const access: Access = {
    url,
    login: undefined,
    whoAmI: async () => undefined,
    credentials: async () => ({ ca: authority, headers }),
  };
  const connection = new Connection(access, new AbortController().signal);
  const { items = [] } = await connection.ask('GET', '/apis/winnow.dev/v1/subscriptions');
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
