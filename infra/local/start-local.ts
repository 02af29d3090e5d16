import { join } from 'node:path';
import type { FunctionName } from '../../lib/platform/index.ts';
import {
  type Derivable,
  ENVIRONMENT,
  type Logger,
  silentLogger,
  systemClock,
} from '../../lib/platform/index.ts';
import { bundleFunctions } from '../bundle/index.ts';
import { assertFree } from '../loopback-guard/index.ts';
import { withAuditQueue } from './audit-queue.ts';
import { type ClientConfig, type Clients, createClients } from './clients.ts';
import { beginTable, type Database, startDatabase, takeOverTable } from './data/index.ts';
import { type Definition, readDefinition } from './definition.ts';
import { enterEnvironment } from './environment.ts';
import { type EventSources, startEventSources } from './event-sources.ts';
import { type FrontDoor, openFrontDoor } from './front-door.ts';
import { type Fault, type FunctionRuntime, loadFunctions } from './function-runtime.ts';
import { createGuard, guardOf, type LocalLogin, withLogin } from './login.ts';
import { ownModules } from './own-modules.ts';
import { type Queues, startQueues } from './queues.ts';
import { createResources } from './resources.ts';
import { runFirst, scheduledEvent } from './schedule.ts';
import { startInvocations, startKeys } from './stand-ins/index.ts';
import { Teardown } from './teardown.ts';
import {
  loadTemplate,
  type SubscribingOptions,
  standIns,
  type Template,
  type TemplateOptions,
} from './template.ts';
import { openTls, type TokenUsers } from './trust/index.ts';

export interface LocalOptions {
  /** The port of the HTTP API; 0, the default, picks a free one. */
  readonly port?: number;
  /**
   * The folder of the table. Without it the table is lost when Winnow stops. The embedded queues are in memory only.
   */
  readonly dataDirectory?: string;
  /** A local run listens on loopback only, because it may have no login. */
  readonly host?: '127.0.0.1';
  /** Binds pods of the scheduler `winnow` to nodes, like `-c placement=true`. */
  readonly placement?: boolean;
  /** Parts of kube-scheduler's profile, as JSON text. */
  readonly schedulerProfile?: string | undefined;
  /** The network of the addresses of Services, like `-c serviceClusterIPRange=<CIDR>`. */
  readonly serviceClusterIPRange?: string | undefined;
  /** Runs the stack without the features that an emulator lacks, like `-c emulator=<name>`. */
  readonly emulator?: string;
  /** The data to derive from objects, like `-c derived=<names>`; default: none. */
  readonly derived?: readonly Derivable[];
  /** Requires tokens, as the deployed stack does. */
  readonly login?: LocalLogin;
  /** Requires one of these tokens, and answers 401 without one. Roles and bindings decide the permissions. */
  readonly users?: TokenUsers;
  /** With `users` and `tls`: the authorities of client certificates that are accepted too, as PEM. */
  readonly clientAuthority?: string | undefined;
  /** Issuers whose tokens are accepted too: an `AuthenticationConfiguration` as JSON text. */
  readonly authenticationConfig?: string | undefined;
  /**
   * Issues tokens for service accounts, like `-c serviceAccountTokens=true`. The key is stored in the table's folder.
   */
  readonly serviceAccountTokens?: boolean;
  /** With service account tokens: whether pods run as service accounts, like `-c serviceAccountAdmission=…`; default: true. */
  readonly serviceAccountAdmission?: boolean;
  /** Tests the run every minute, like `-c canary=true`. Failures are in the log of the functions. */
  readonly canary?: boolean;
  /** The most open watches of one user. */
  readonly watchesPerUser?: number | undefined;
  /** Requests per second and burst of one user, like `-c requestsPerUser`; default: no limit. */
  readonly requestsPerUser?: string | undefined;
  /** The rules for Subscriptions and Tallies, like the settings of these names. */
  readonly subscribing?: SubscribingOptions | undefined;
  /** The time without a request of an author after which delivery stops; default: `30d`. */
  readonly authorNotSeenAfter?: string | undefined;
  /** The days for which Winnow keeps history, like `-c historyDays`; default: 1. */
  readonly historyDays?: number | undefined;
  /** Serves HTTPS. The certificate comes from a local authority, which is stored in the table's folder. */
  readonly tls?: boolean;
  /** Host names for the API and the embedded queues in addition to those of loopback. */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * The places that admission webhooks may name: `loopback` (the default), `services` for every URL and Service too, or
   * a list as JSON text, like `-c webhooks=<FILE>`.
   */
  readonly webhooks?: string | undefined;
  /** The audit policy, whose events go to standard output: a `Policy` of audit.k8s.io/v1 as JSON text. */
  readonly auditPolicy?: string | undefined;
  /** The name of a queue that also receives the audit events, like `-c auditQueue`. It is created if necessary. */
  readonly auditQueue?: string | undefined;
  /** Receives errors of the functions and of the local run; default: none. */
  readonly logger?: Logger;
  /**
   * Whether a new table starts with the newest row schema. Otherwise it starts with the first row schema, until an
   * operator raises it.
   */
  readonly newestSchema?: boolean;
  /** `false`: writes do not wake the watches of this process, which only poll the table, as on AWS. */
  readonly signal?: boolean;
  /** `false` makes a watch a long poll, like `-c streaming=false`. */
  readonly streaming?: boolean;
  /** The delay in ms before a message whose function crashed is received again; default: as deployed. */
  readonly retryDelay?: number;
  /** For tests: hooks between the functions, their callers and their services. */
  readonly fault?: Fault;
}

/** Winnow in this process. Only one may run at a time, because its functions share `process.env`. */
export interface LocalWinnow {
  /** The URL of the HTTP API. */
  readonly url: string;
  /** The certificate of the API's authority as PEM; undefined for plain HTTP. */
  readonly authority: string | undefined;
  readonly awsEndpoints: { readonly dynamodb: string; readonly sqs: string };
  /** The configurations for `new DynamoDBClient(…)` and `new SQSClient(…)`. */
  readonly dynamodbClientConfig: ClientConfig;
  readonly sqsClientConfig: ClientConfig;
  /** The functions' environment, which includes the names of the table and queues. */
  readonly environment: Readonly<Record<string, string>>;
  /** Invokes a function with an event directly. It does not work for `read`, which streams: use HTTP. */
  invoke(functionName: FunctionName, event: unknown): Promise<unknown>;
  /** Resolves to the cause if the embedded database has ended and cannot be restarted. */
  readonly lost: Promise<Error>;
  /** Runs the tick of the schedule now. */
  tick(): Promise<void>;
  /** Waits at most two seconds for running invocations, and stops. */
  stop(): Promise<void>;
  /** Stops like a crash: it waits for nothing, and kills the database. */
  kill(): Promise<void>;
}

const REGION = 'us-east-1';
const DRAIN = 2_000;

/**
 * Starts the stack of `infra/stack.ts` on embedded emulators, or on those that `AWS_ENDPOINT_URL_DYNAMODB` and
 * `AWS_ENDPOINT_URL_SQS` name.
 *
 * @throws {Error} it cannot start; the message names the port, the folder or the database.
 */
export async function startLocal(options: LocalOptions = {}): Promise<LocalWinnow> {
  const logger = options.logger ?? silentLogger;
  const teardown = new Teardown();
  try {
    await assertFree(options.port ?? 0);
    const template = await loadTemplate({ bundles: await standIns(), ...settingsOf(options) });
    const emulators = await openEmulators(options, { logger, teardown });
    const deployment = await createDeployment(options, { template, emulators, teardown });
    return await serve(options, { emulators, deployment, logger, teardown });
  } catch (error) {
    await teardown.run();
    throw error;
  }
}

/** The settings of the stack that these options stand for. */
function settingsOf(options: LocalOptions): Omit<TemplateOptions, 'bundles'> {
  const {
    streaming = true,
    emulator,
    placement = false,
    derived = [],
    auditPolicy,
    authenticationConfig,
    serviceAccountTokens,
    serviceAccountAdmission,
    canary = false,
    watchesPerUser,
    requestsPerUser = 'off',
    authorNotSeenAfter,
    historyDays,
    schedulerProfile,
    serviceClusterIPRange,
  } = options;
  return {
    streaming,
    ...(emulator && { emulator }),
    ...(auditPolicy && { auditPolicy }),
    ...(authenticationConfig && { authenticationConfig }),
    ...(serviceAccountTokens && { serviceAccountTokens }),
    ...(serviceAccountAdmission !== undefined && { serviceAccountAdmission }),
    ...(canary && { canary }),
    ...(watchesPerUser !== undefined && { watchesPerUser }),
    requestsPerUser,
    ...(authorNotSeenAfter !== undefined && { authorNotSeenAfter }),
    ...(historyDays !== undefined && { historyDays }),
    ...(placement && { placement }),
    ...(schedulerProfile && { schedulerProfile }),
    ...(serviceClusterIPRange && { serviceClusterIPRange }),
    ...(derived.length > 0 && { derived }),
    ...options.subscribing,
  };
}

interface Emulators {
  readonly database: Database;
  readonly queues: Queues;
  readonly clients: Clients;
}

/** Starts the database and the queues. */
async function openEmulators(
  options: LocalOptions,
  { logger, teardown }: { readonly logger: Logger; readonly teardown: Teardown },
): Promise<Emulators> {
  const onRestart = (how: string) =>
    logger.error(`the embedded database ended (${how}) and was restarted with all its data`);
  const database = await startDatabase({ dataDirectory: options.dataDirectory, onRestart });
  teardown.add(database.stop);
  const queues = await startQueues({
    region: REGION,
    endpoint: process.env.AWS_ENDPOINT_URL_SQS,
    allowedHosts: options.allowedHosts,
    portFile: database.folder && join(database.folder.path, 'queues.port'),
  });
  teardown.add(queues.stop);
  const clients = createClients({ dynamodb: database.endpoint, sqs: queues.endpoint, region: REGION });
  teardown.add(clients.destroy);
  return { database, queues, clients };
}

interface Deployment {
  readonly definition: Definition;
  readonly runtime: FunctionRuntime;
}

/** Creates the resources of the template, and loads its functions. */
async function createDeployment(
  options: LocalOptions,
  parts: { readonly template: Template; readonly emulators: Emulators; readonly teardown: Teardown },
): Promise<Deployment> {
  const { template, teardown } = parts;
  const { database, queues, clients } = parts.emulators;
  const physical = await createResources({
    template,
    ...clients,
    sqsEndpoint: queues.endpoint,
    queuesLastOn: !queues.embedded,
    region: REGION,
  });
  database.tune();
  const definition = await definitionOf(options, readDefinition(template, physical), clients);
  await beginTable(tableOf(definition, clients), options.newestSchema === true);
  // This process holds the lock of the folder, so the holders of all leases are dead.
  if (database.folder !== undefined) {
    await takeOverTable({ ...tableOf(definition, clients), queuesLost: queues.embedded });
  }
  const dynamodb = (await options.fault?.betweenDatabase?.(database.endpoint)) ?? database.endpoint;
  const sqs = (await options.fault?.betweenQueues?.(queues.endpoint)) ?? queues.endpoint;
  const keys = options.serviceAccountTokens
    ? await startKeys(database.folder && join(database.folder.path, 'keys', 'tokens.pem'))
    : undefined;
  if (keys !== undefined) teardown.add(keys.stop);
  const invocations = await startInvocations();
  teardown.add(invocations.stop);
  const functions = [...definition.functions.values()];
  const { endpoint: lambda } = invocations;
  const webhooks = options.webhooks ?? 'loopback';
  const endpoints = { dynamodb, sqs, kms: keys?.endpoint, lambda };
  const { signal = true } = options;
  teardown.add(enterEnvironment({ functions, region: REGION, ...endpoints, webhooks, signal }));
  const { bundles } = await bundleFunctions([...definition.functions.keys()]);
  const modules = await ownModules((await options.fault?.bundles?.(bundles)) ?? bundles);
  teardown.add(modules.remove);
  const runtime = await loadFunctions({
    ...definition,
    bundles: modules.bundles,
    region: REGION,
    fault: options.fault,
  });
  invocations.serve(runtime.invoke);
  return { definition, runtime };
}

/** The definition with the login and the audit queue of this run. */
async function definitionOf(
  { login, auditQueue }: LocalOptions,
  read: Definition,
  { sqs }: Clients,
): Promise<Definition> {
  const asked = login === undefined ? read : withLogin(read, login);
  return auditQueue === undefined ? asked : withAuditQueue(asked, { sqs, name: auditQueue });
}

interface Serving {
  readonly emulators: Emulators;
  readonly deployment: Deployment;
  readonly logger: Logger;
  readonly teardown: Teardown;
}

/** Opens the HTTP API, and starts to poll queues, the stream and the schedule. */
async function serve(
  options: LocalOptions,
  { emulators, deployment, logger, teardown }: Serving,
): Promise<LocalWinnow> {
  const { database, clients } = emulators;
  const { definition, runtime } = deployment;
  for (const schedule of definition.schedules) await runFirst({ schedule, runtime, logger, region: REGION });
  const tls =
    options.tls === true
      ? await openTls(database.folder && join(database.folder.path, 'tls'), systemClock.now())
      : undefined;
  const door = await openFrontDoor({
    definition,
    runtime,
    logger,
    guard: guardOf(options, createGuard(definition, runtime)),
    tls,
    clientAuthority: options.clientAuthority,
    port: options.port ?? 0,
    allowedHosts: options.allowedHosts,
  });
  teardown.add(door.stop);
  database.folder?.announce(door.url);
  const { dataDirectory, retryDelay } = options;
  const listening = { runtime, logger, region: REGION, dataDirectory, retryDelay };
  const sources = startEventSources({ ...listening, definition, clients });
  const authority = tls?.authority;
  const { lost } = database;
  return createHandle({ door, authority, runtime, sources, definition, clients, lost, teardown });
}

function tableOf({ functions }: Definition, { dynamodbClientConfig }: Clients) {
  const [tableName] = [...functions.values()].flatMap(
    ({ environment }) => environment[ENVIRONMENT.table] ?? [],
  );
  if (tableName === undefined) throw new Error('the template names no table');
  return { tableName, config: { ...dynamodbClientConfig } };
}

interface Parts {
  readonly door: FrontDoor;
  readonly authority: string | undefined;
  readonly runtime: FunctionRuntime;
  readonly sources: EventSources;
  readonly definition: Definition;
  readonly clients: Clients;
  readonly lost: Promise<Error>;
  readonly teardown: Teardown;
}

function createHandle({
  door,
  runtime,
  sources,
  definition,
  clients,
  teardown,
  ...rest
}: Parts): LocalWinnow {
  const { dynamodbClientConfig, sqsClientConfig } = clients;
  return {
    ...rest,
    url: door.url,
    awsEndpoints: { dynamodb: dynamodbClientConfig.endpoint, sqs: sqsClientConfig.endpoint },
    dynamodbClientConfig,
    sqsClientConfig,
    environment: Object.assign({}, ...[...definition.functions.values()].map((one) => one.environment)),
    invoke: (functionName, event) => runtime.invoke(functionName, event),
    tick: async () => {
      for (const { functionName } of definition.schedules) {
        await runtime.invoke(functionName, scheduledEvent(REGION));
      }
    },
    stop: async () => {
      const drained = new AbortController();
      const idle = Promise.all([door.stop(), sources.stop(), runtime.idle()]).then(() => drained.abort());
      await Promise.race([idle, systemClock.sleep(DRAIN, drained.signal)]);
      await teardown.run();
    },
    kill: async () => {
      void sources.stop();
      await teardown.run();
    },
  };
}
