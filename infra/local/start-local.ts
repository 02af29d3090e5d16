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
import { withAuditQueue } from './audit-queue.ts';
import { type ClientConfig, type Clients, createClients } from './clients.ts';
import { beginTable, startDatabase, takeOverTable } from './data/index.ts';
import { type Definition, readDefinition } from './definition.ts';
import { enterEnvironment } from './environment.ts';
import { type EventSources, startEventSources } from './event-sources.ts';
import { type FrontDoor, openFrontDoor } from './front-door.ts';
import { type Fault, type FunctionRuntime, loadFunctions } from './function-runtime.ts';
import { assertFree } from './listen-on.ts';
import { createGuard, guardOf, type LocalLogin, withLogin } from './login.ts';
import { ownModules } from './own-modules.ts';
import { startQueues } from './queues.ts';
import { createResources } from './resources.ts';
import { runFirst, scheduledEvent } from './schedule.ts';
import { startInvocations, startKeys } from './stand-ins/index.ts';
import { loadTemplate, type SubscribingOptions, standIns } from './template.ts';
import { openTls, type TokenUsers } from './trust/index.ts';

export interface LocalOptions {
  /** Of the HTTP API; 0, the default, takes a free one. */
  readonly port?: number;
  /** Where the table is kept. Without it, it goes when Winnow stops. The embedded queues are in memory only. */
  readonly dataDirectory?: string;
  /** Without it there is no login locally, so it listens on loopback and nowhere else. */
  readonly host?: '127.0.0.1';
  /** Runs what `-c placement=true` deploys: pods of the scheduler `winnow` are bound to nodes. */
  readonly placement?: boolean;
  /** What is set of kube-scheduler's profile, as JSON text. */
  readonly schedulerProfile?: string | undefined;
  /** The network of the addresses of Services, as `-c serviceClusterIPRange=<CIDR>` has it. */
  readonly serviceClusterIPRange?: string | undefined;
  /** Runs what `-c emulator=<name>` deploys. */
  readonly emulator?: string;
  /** What is derived from objects, as `-c derived=<names>` has it; nothing by default. */
  readonly derived?: readonly Derivable[];
  /** Asks for tokens, as the deployed stack does. */
  readonly login?: LocalLogin;
  /** Asks for one of these tokens: who has none of them is told 401. Roles and bindings decide the rest. */
  readonly users?: TokenUsers;
  /** Whose tokens are taken beside these: an `AuthenticationConfiguration` as JSON text. */
  readonly authenticationConfig?: string | undefined;
  /** Runs what `-c serviceAccountTokens=true` deploys; the key is kept with the table, where that is. */
  readonly serviceAccountTokens?: boolean;
  /** Tries itself every minute, as what `-c canary=true` deploys; what fails is in the log of the functions. */
  readonly canary?: boolean;
  /** How many watches one user may have open at once. */
  readonly watchesPerUser?: number | undefined;
  /** Requests a second and at once that one user may make, as `-c requestsPerUser` has it; any number by default. */
  readonly requestsPerUser?: string | undefined;
  /** What Subscriptions and Tallies may ask for, as the settings of these names have it. */
  readonly subscribing?: SubscribingOptions | undefined;
  /** After which time delivery ends for a user who is not seen: `30d`, where nothing is said. */
  readonly authorNotSeenAfter?: string | undefined;
  /** Speaks HTTPS, with a certificate of an authority of its own; that is kept with the table, where that is. */
  readonly tls?: boolean;
  /** Names that clients may call the API and the embedded queues by, beside those of loopback. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** What is written down of requests, on standard output: a `Policy` of audit.k8s.io/v1 as JSON text. */
  readonly auditPolicy?: string | undefined;
  /** The name of a queue that these go to as well, as `-c auditQueue` has it. It is made where it is not there. */
  readonly auditQueue?: string | undefined;
  /** Hears what goes wrong in the functions and around them; silent by default. */
  readonly logger?: Logger;
  /** A new table begins with the newest schema of rows; otherwise with the first, which somebody has to raise. */
  readonly newestSchema?: boolean;
  /** `false` runs what `-c streaming=false` deploys: a watch is a long poll. */
  readonly streaming?: boolean;
  /** Milliseconds until a message that a function died over is received again; by default as deployed. */
  readonly retryDelay?: number;
  /** For tests: comes between the functions and what calls them, or they call. */
  readonly fault?: Fault;
}

/** Winnow running in this process. At most one at a time: its functions share `process.env`. */
export interface LocalWinnow {
  /** Of the HTTP API. */
  readonly url: string;
  /** Whose certificate the API shows, in PEM; undefined where it speaks plain HTTP. */
  readonly authority: string | undefined;
  readonly awsEndpoints: { readonly dynamodb: string; readonly sqs: string };
  /** For `new DynamoDBClient(…)` and `new SQSClient(…)`. */
  readonly dynamodbClientConfig: ClientConfig;
  readonly sqsClientConfig: ClientConfig;
  /** The functions' environment: names of the table and queues among others. */
  readonly environment: Readonly<Record<string, string>>;
  /** Invokes a function with an event, past every queue. Not for `read`, which streams: use HTTP. */
  invoke(functionName: FunctionName, event: unknown): Promise<unknown>;
  /** Resolves to what went wrong when the embedded database is gone and cannot be started again. */
  readonly lost: Promise<Error>;
  /** What the schedule does every minute, now. */
  tick(): Promise<void>;
  /** Lets running invocations end (for at most two seconds), then stops. */
  stop(): Promise<void>;
  /** Stops as a crash would: nothing is waited for, the database process is killed. */
  kill(): Promise<void>;
}

const REGION = 'us-east-1';
const DRAIN = 2_000;

/**
 * Starts the stack of `infra/stack.ts` on embedded emulators, or on those that `AWS_ENDPOINT_URL_DYNAMODB` and
 * `AWS_ENDPOINT_URL_SQS` name.
 *
 * @throws {Error} what keeps it from starting, for people: the port, the folder, the database.
 */
export async function startLocal(options: LocalOptions = {}): Promise<LocalWinnow> {
  const logger = options.logger ?? silentLogger;
  const undo: (() => Promise<void> | void)[] = [];
  const tearDown = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    await assertFree(options.port ?? 0);
    const {
      streaming = true,
      emulator,
      placement = false,
      derived = [],
      auditPolicy,
      authenticationConfig,
      serviceAccountTokens,
      canary = false,
      watchesPerUser,
      requestsPerUser = 'off',
      authorNotSeenAfter,
      schedulerProfile,
      serviceClusterIPRange,
    } = options;
    const chosen = {
      ...(emulator && { emulator }),
      ...(auditPolicy && { auditPolicy }),
      ...(authenticationConfig && { authenticationConfig }),
      ...(serviceAccountTokens && { serviceAccountTokens }),
      ...(canary && { canary }),
      ...(watchesPerUser !== undefined && { watchesPerUser }),
      requestsPerUser,
      ...(authorNotSeenAfter !== undefined && { authorNotSeenAfter }),
      ...(placement && { placement }),
      ...(schedulerProfile && { schedulerProfile }),
      ...(serviceClusterIPRange && { serviceClusterIPRange }),
      ...(derived.length > 0 && { derived }),
      ...options.subscribing,
    };
    const template = await loadTemplate({ bundles: await standIns(), streaming, ...chosen });
    const onRestart = (how: string) =>
      logger.error(`the embedded database ended (${how}), and was started again with all that it had`);
    const database = await startDatabase({ dataDirectory: options.dataDirectory, onRestart });
    undo.push(database.stop);
    const queues = await startQueues({
      region: REGION,
      endpoint: process.env.AWS_ENDPOINT_URL_SQS,
      allowedHosts: options.allowedHosts,
    });
    undo.push(queues.stop);
    const clients = createClients({ dynamodb: database.endpoint, sqs: queues.endpoint, region: REGION });
    undo.push(clients.destroy);
    const physical = await createResources({
      template,
      ...clients,
      sqsEndpoint: queues.endpoint,
      queuesLastOn: !queues.embedded,
      region: REGION,
    });
    database.tune();
    const { login, auditQueue } = options;
    const read = readDefinition(template, physical);
    const asked = login === undefined ? read : withLogin(read, login);
    const definition =
      auditQueue === undefined ? asked : await withAuditQueue(asked, { sqs: clients.sqs, name: auditQueue });
    const functions = [...definition.functions.values()];
    if (options.newestSchema === true) await beginTable(tableOf(definition, clients));
    // Behind the folder's lock nobody else is at work: whoever holds a lease is dead.
    if (database.folder !== undefined) {
      await takeOverTable({ ...tableOf(definition, clients), queuesLost: queues.embedded });
    }
    const dynamodb = (await options.fault?.betweenDatabase?.(database.endpoint)) ?? database.endpoint;
    const sqs = (await options.fault?.betweenQueues?.(queues.endpoint)) ?? queues.endpoint;
    const folder = database.folder?.path;
    const keys = serviceAccountTokens
      ? await startKeys(folder && join(folder, 'keys', 'tokens.pem'))
      : undefined;
    if (keys !== undefined) undo.push(keys.stop);
    const invocations = await startInvocations();
    undo.push(invocations.stop);
    const { endpoint: lambda } = invocations;
    undo.push(enterEnvironment({ functions, region: REGION, dynamodb, sqs, kms: keys?.endpoint, lambda }));
    const { bundles } = await bundleFunctions([...definition.functions.keys()]);
    const modules = await ownModules((await options.fault?.bundles?.(bundles)) ?? bundles);
    undo.push(modules.remove);
    const runtime = await loadFunctions({
      ...definition,
      bundles: modules.bundles,
      region: REGION,
      fault: options.fault,
    });
    invocations.serve(runtime.invoke);
    for (const schedule of definition.schedules) {
      await runFirst({ schedule, runtime, logger, region: REGION });
    }
    const guard = guardOf(options, createGuard(definition, runtime));
    const tls =
      options.tls === true
        ? await openTls(database.folder && join(database.folder.path, 'tls'), systemClock.now())
        : undefined;
    const door = await openFrontDoor({
      definition,
      runtime,
      logger,
      guard,
      tls,
      port: options.port ?? 0,
      allowedHosts: options.allowedHosts,
    });
    undo.push(door.stop);
    database.folder?.announce(door.url);
    const { dataDirectory, retryDelay } = options;
    const listening = { runtime, logger, region: REGION, dataDirectory, retryDelay };
    const sources = startEventSources({ ...listening, definition, clients });
    const { lost } = database;
    const authority = tls?.authority;
    return createHandle({ door, authority, runtime, sources, definition, clients, lost, tearDown });
  } catch (error) {
    await tearDown();
    throw error;
  }
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
  readonly tearDown: () => Promise<void>;
}

function createHandle({
  door,
  runtime,
  sources,
  definition,
  clients,
  tearDown,
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
      await tearDown();
    },
    kill: async () => {
      void sources.stop();
      await tearDown();
    },
  };
}
