import { setTimeout } from 'node:timers/promises';
import type { Console } from '../../infra/console/index.ts';
import {
  type LocalWinnow,
  readAuditPolicy,
  readSchedulerProfile,
  readWebhooks,
  startLocal,
} from '../../infra/local/index.ts';
import { type Access, Connection, explainPort } from '../connection/index.ts';
import { offerLinks } from '../console/index.ts';
import { interrupted } from '../interrupted.ts';
import { refuseForeign, replacementNote, writeKubeconfig } from '../kubeconfig/index.ts';
import { changeSample, loadSample } from '../sample/index.ts';
import { screen } from '../screen.ts';
import { assertConsolePort, openLocalConsole } from './open-console.ts';
import { type Door, openDoor } from './open-door.ts';
import type { StartOptions } from './options.ts';

/**
 * The longest time from a signal to the end of the process, in ms. Under load Node handles a signal and a timer late, each
 * by up to a second.
 */
const STOP_WITHIN = 3_000;

/** Runs Winnow on this machine until it is interrupted, and then ends the process. */
export async function start(options: StartOptions): Promise<void> {
  const { port, kubeconfig, data, derived, placement, canary, auditPolicy, auditQueue, watchesPerUser } =
    options;
  const { allowedHosts } = options;
  if (auditQueue !== undefined && auditPolicy === undefined) {
    throw new Error('--audit-queue needs --audit-policy, which defines the audit events');
  }
  await refuseForeign(kubeconfig);
  await assertConsolePort(options);
  const door = await openDoor(options);
  const keepsQueues = Boolean(process.env.AWS_ENDPOINT_URL_SQS);
  const running = startLocal({
    port,
    placement,
    canary,
    watchesPerUser,
    requestsPerUser: options.requestsPerUser,
    authorNotSeenAfter: options.authorNotSeenAfter,
    historyDays: options.historyDays,
    signal: options.signal,
    newestSchema: true,
    schedulerProfile: await readSchedulerProfile(options),
    serviceClusterIPRange: options.serviceClusterIpRange,
    tls: door.tls,
    allowedHosts,
    authenticationConfig: door.authenticationConfig,
    clientAuthority: door.clientAuthority,
    serviceAccountTokens: door.serviceAccountTokens,
    serviceAccountAdmission: options.serviceAccountAdmission,
    auditQueue,
    ...(door.users === undefined ? {} : { users: door.users }),
    ...(data === undefined ? {} : { dataDirectory: data }),
    ...(derived === undefined ? {} : { derived }),
    webhooks: await webhooksOf(options),
    ...(auditPolicy === undefined ? {} : { auditPolicy: await readAuditPolicy(auditPolicy) }),
    logger: { ...globalThis.console, debug: () => {}, info: () => {} },
  });
  const winnow = await running.catch((error) => {
    throw explainPort(error);
  });
  const signal = interrupted();
  const ending = new AbortController();
  let console: Console | undefined;
  const run = async () => {
    const { url, authority } = winnow;
    const written = await writeKubeconfig(kubeconfig, url, { authority, token: door.token });
    const note = replacementNote(kubeconfig, written);
    if (note !== undefined) screen.note(note);
    const connection = connectionTo(winnow, door, ending.signal);
    console = await openLocalConsole(options, connection.access);
    if (options.sample) await showSample(connection);
    const link = console?.newLink();
    await welcome(winnow, { kubeconfig, keepsQueues, door, connection, sample: options.sample, link });
    if (console !== undefined) offerLinks(console.newLink);
    const changing = options.sample ? changeSample(connection, ending) : undefined;
    changing?.catch((error) => screen.error(`The sample inventory no longer changes: ${error.message}`));
    await signal;
  };
  try {
    const failure = await Promise.race([run(), winnow.lost]).catch((error: Error) => error);
    if (failure !== undefined) {
      screen.error(`${failure.message}. Winnow stops; all acknowledged writes are stored.`);
    }
    process.exitCode = failure === undefined ? 0 : 1;
    screen.say('Stopping.');
  } finally {
    ending.abort(new Error('Winnow stops'));
    await Promise.race([Promise.all([console?.stop(), winnow.stop()]), setTimeout(STOP_WITHIN)]);
  }
  // A function that is still running would keep the process alive until the function's timeout. All
  // acknowledged writes are stored.
  process.exit();
}

/** The places that webhooks may name: a word, or the content of a file. */
async function webhooksOf({ webhooks }: StartOptions): Promise<string | undefined> {
  const isWord = webhooks === undefined || webhooks === 'loopback' || webhooks === 'services';
  return isWord ? webhooks : readWebhooks(webhooks);
}

/** Creates the sample inventory, and says how long that took. */
async function showSample(connection: Connection): Promise<void> {
  const began = performance.now();
  screen.say('Creating the sample inventory …');
  const created = await loadSample(connection);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  screen.say(`The sample inventory is there: ${created} objects are new (${seconds} s). It changes slowly.`);
}

interface Started {
  readonly kubeconfig: string;
  readonly keepsQueues: boolean;
  readonly door: Door;
  readonly connection: Connection;
  readonly sample: boolean;
  /** The link of the console; undefined without a console. */
  readonly link: string | undefined;
}

async function welcome(winnow: LocalWinnow, started: Started): Promise<void> {
  const { kubeconfig, keepsQueues, door, connection, sample, link } = started;
  const { url, awsEndpoints } = winnow;
  // The queue of the sample's Subscription is new.
  const subscriptions = keepsQueues || sample ? 0 : await countSubscriptions(connection);
  showWelcome({ url, sqs: awsEndpoints.sqs, kubeconfig, asks: door.token !== undefined, sample, link });
  if (subscriptions > 0) {
    screen.say(
      `Queues live in memory only. Winnow recreates the queue of each of the ${subscriptions} subscriptions and sends a new snapshot.`,
    );
  }
}

interface Welcome {
  readonly url: string;
  readonly sqs: string;
  readonly kubeconfig: string;
  /** Whether it requires a token. */
  readonly asks: boolean;
  /** Whether it has the sample inventory. */
  readonly sample: boolean;
  readonly link: string | undefined;
}

function showWelcome({ url, sqs, kubeconfig, asks, sample, link }: Welcome): void {
  screen.title(`Winnow runs at ${url}`);
  if (asks) {
    screen.say('It requires a token: the kubeconfig holds the token of "admin", who may do everything.');
  }
  screen.say(`SQS is at ${sqs} (any region, any credentials). Press Ctrl-C to stop.`);
  if (link !== undefined) {
    screen.say(`The console${sample ? ' shows the sample best, so open it first' : ''}: ${link}`);
    screen.say('The link opens one session; press Enter for a new link.');
  }
  screen.say('Try:');
  screen.blank();
  const kubectl = `kubectl --kubeconfig ${kubeconfig}`;
  if (sample) {
    screen.command(`${kubectl} get devices -l 'connectivity=offline,environment=production' --watch`);
    screen.command(`${kubectl} get tallies`);
    screen.command(`bin/winnow.js facets devices site environment --joint --kubeconfig ${kubeconfig}`);
    screen.command(`bin/winnow.js log devices -l connectivity=offline -f --kubeconfig ${kubeconfig}`);
    screen.blank();
    return;
  }
  screen.command(`${kubectl} apply -f test/fixtures/pods.yaml`);
  screen.command(`${kubectl} get pods -l 'environment in (production, qa),tier!=frontend' --show-labels`);
  screen.command(`${kubectl} apply -f test/fixtures/subscription.yaml && ${kubectl} get subscriptions`);
  screen.blank();
}

function connectionTo({ url, authority }: LocalWinnow, { token }: Door, signal: AbortSignal): Connection {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const access: Access = {
    url,
    login: undefined,
    whoAmI: async () => undefined,
    credentials: async () => ({ ca: authority, headers }),
  };
  return new Connection(access, signal);
}

async function countSubscriptions(connection: Connection): Promise<number> {
  const { items = [] } = await connection.ask('GET', '/apis/winnow.dev/v1/subscriptions');
  return items.length;
}
