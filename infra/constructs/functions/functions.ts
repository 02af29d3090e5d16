import { Duration } from 'aws-cdk-lib';
import { RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { parsePolicy } from '../../../lib/kubernetes/audit/index.ts';
import { parseProfile } from '../../../lib/placement/profile/index.ts';
import {
  ENVIRONMENT,
  readAuthorLife,
  readHistoryDays,
  readRequestRate,
  readServiceRange,
  readWatchCap,
  TIMING,
  WITH_LOGIN,
} from '../../../lib/platform/index.ts';
import type { Queues, Table } from '../storage/index.ts';
import { auditQueueOf } from './audit-queue.ts';
import type { Login } from './login.ts';
import { type SubscribingProps, subscribingVariables } from './subscribing.ts';
import { allowWebhooks, webhookVariables } from './webhooks.ts';
import { WinnowFunction, type WinnowFunctionProps } from './winnow-function.ts';

/**
 * The most bytes of an audit policy and of a scheduler profile, as JSON. Lambda's limit for a whole environment is 4
 * KB.
 */
const LONGEST_POLICY = 3_000;
const LONGEST_PROFILE = 2_000;

export interface FunctionsProps {
  readonly bundles: string;
  readonly table: Table;
  readonly queues: Queues;
  readonly login: Login;
  readonly streaming: boolean;
  /** The `spec.schedulerName` of the pods that Winnow binds. */
  readonly schedulerName: string;
  readonly schedulerProfile?: string | undefined;
  /** The network of the addresses of Services. */
  readonly serviceClusterIPRange?: string | undefined;
  /** Whether pods run as service accounts. */
  readonly serviceAccounts: boolean;
  readonly logLevel?: string | undefined;
  /** Whether functions publish metrics. */
  readonly metrics: boolean;
  /** The places that admission webhooks may name, as JSON text. */
  readonly webhooks?: string | undefined;
  readonly auditPolicy?: string | undefined;
  /** The ARN of a queue for audit events. */
  readonly auditQueue?: string | undefined;
  /** The shared log group of the functions that answer requests; absent if each has its own. */
  readonly auditLog?: ILogGroup | undefined;
  /** The most open watches of one user. */
  readonly watchesPerUser?: number | undefined;
  /** Requests per second and burst of one user, such as `50/200`; `off` for no limit. */
  readonly requestsPerUser: string;
  /** The rules for Subscriptions and Tallies. */
  readonly subscribing?: SubscribingProps | undefined;
  /** The time without a request of the author after which delivery ends. */
  readonly authorNotSeenAfter?: string | undefined;
  /** The days for which Winnow keeps history. */
  readonly historyDays?: number | undefined;
}

/** In MB: enough for 5,000 nodes and 50,000 pods. From 1,769 MB on Lambda gives a function a whole processor. */
const WORLD_MEMORY = 1_769;

/** The functions of Winnow, except those that only some deployments have. */
export class Functions extends Construct {
  /** Writes on behalf of read-only functions: holes, and the number of open watches. */
  readonly fill: WinnowFunction;
  readonly read: WinnowFunction;
  readonly write: WinnowFunction;
  readonly place: WinnowFunction;
  /** Present only if the deployment binds pods. */
  readonly bind: WinnowFunction | undefined;
  readonly relay: WinnowFunction;
  readonly dispatch: WinnowFunction;
  readonly reconcile: WinnowFunction;
  /** Whether the deployment limits open watches. */
  readonly countsWatches: boolean;
  /** Whether the deployment limits requests of users. */
  readonly countsRequests: boolean;
  /** All of these functions. */
  readonly all: readonly WinnowFunction[];
  /** The properties that optional functions share with these. */
  readonly shared: Shared;
  /** Additional environment of the functions that answer requests: the audit policy and the request limit. */
  readonly answering: Readonly<Record<string, string>>;
  /** The queue to which they send audit events in addition to the log. */
  readonly auditQueue: IQueue | undefined;
  /** Their shared log group; undefined if each has its own. */
  readonly auditLog: ILogGroup | undefined;

  constructor(scope: Construct, id: string, props: FunctionsProps) {
    super(scope, id);
    const { bundles, logLevel, metrics } = props;
    const shared = { bundles, logLevel, metrics, environment: environment(props) };
    this.shared = shared;
    this.auditQueue = auditQueueOf(this, props);
    this.auditLog = props.auditLog;
    const counted = rateVariables(props);
    this.countsRequests = Object.keys(counted).length > 0;
    this.answering = { ...auditOf(props, this.auditQueue), ...counted };
    const front = inFront(props.login, {
      ...shared,
      logGroup: this.auditLog,
      environment: { ...shared.environment, ...this.answering },
    });
    const capped = capVariables(props);
    const subscribing = subscribingVariables(props.subscribing ?? {});
    this.countsWatches = props.watchesPerUser !== undefined;
    this.fill = new WinnowFunction(this, 'Fill', {
      ...shared,
      environment: { ...shared.environment, ...capped },
      name: 'fill',
      description: 'fills journal gaps of dead writers, for functions that only read',
      timeout: Duration.millis(TIMING.fill),
      memorySize: 256,
    });
    const reading = front('read');
    this.read = new WinnowFunction(this, 'Read', {
      ...reading,
      environment: { ...reading.environment, ...this.filled, ...capped },
      description: 'answers GET: objects, lists and watches',
      timeout: readTimeout(props.streaming),
      memorySize: 1024,
    });
    const writing = front('write');
    this.write = new WinnowFunction(this, 'Write', {
      ...writing,
      environment: {
        ...writing.environment,
        ...rangeVariables(props),
        ...accountVariables(props),
        ...subscribing,
        ...webhookVariables(props),
        [ENVIRONMENT.queueArns]: props.queues.queueArns,
      },
      description: 'answers POST, PUT, PATCH and DELETE',
      // Longer than TIMING.request, after which the function itself still answers 504.
      timeout: Duration.millis(TIMING.gateway),
      memorySize: 1024,
    });
    allowWebhooks(this.write.function, props);
    const { placement } = props.queues;
    const placing = profileVariables(props);
    const asked = front('place');
    const kept: Record<string, string> = placement ? { [ENVIRONMENT.worldSnapshots]: 'true' } : {};
    this.place = new WinnowFunction(this, 'Place', {
      ...asked,
      environment: { ...asked.environment, ...this.filled, ...placing, ...kept },
      description: 'answers PlacementReviews, from nodes and pods that it caches in memory',
      timeout: Duration.millis(TIMING.gateway),
      memorySize: WORLD_MEMORY,
    });
    const bound = { ...shared, environment: { ...shared.environment, ...placing } };
    this.bind = placement && this.#makeBind(bound, placement.wake.queueUrl, props.schedulerName);
    this.relay = new WinnowFunction(this, 'Relay', {
      ...shared,
      environment: {
        ...shared.environment,
        ...(placement && { [ENVIRONMENT.placementQueueUrl]: placement.wake.queueUrl }),
      },
      name: 'relay',
      description: 'repeats the hint of every journal entry to the event queue',
      timeout: Duration.millis(TIMING.dispatch),
      memorySize: 256,
    });
    this.dispatch = new WinnowFunction(this, 'Dispatch', {
      ...shared,
      name: 'dispatch',
      recursiveLoop: RecursiveLoop.ALLOW,
      description: 'matches changes with selectors and sends them to subscribers',
      timeout: Duration.millis(TIMING.dispatch),
      memorySize: 1024,
    });
    this.reconcile = new WinnowFunction(this, 'Reconcile', {
      ...shared,
      environment: {
        ...shared.environment,
        ...ofSubscribers(props.queues),
        ...subscribing,
        ...rangeVariables(props),
        ...accountVariables(props),
        [ENVIRONMENT.clusterId]: props.login.clusterId,
      },
      name: 'reconcile',
      recursiveLoop: RecursiveLoop.ALLOW,
      description: 'queues, snapshots, catching up, compaction',
      timeout: Duration.millis(TIMING.reconcile),
      memorySize: 512,
    });
    const { fill, read, write, place, bind, relay, dispatch, reconcile } = this;
    this.all = [fill, read, write, place, ...[bind ?? []].flat(), relay, dispatch, reconcile];
  }

  /** The environment of read-only functions: the name of `fill`. */
  get filled(): Readonly<Record<string, string>> {
    return { [ENVIRONMENT.fillFunction]: this.fill.function.functionName };
  }

  #makeBind(shared: Shared, queueUrl: string, schedulerName: string): WinnowFunction {
    return new WinnowFunction(this, 'Bind', {
      ...shared,
      environment: {
        ...shared.environment,
        [ENVIRONMENT.placementQueueUrl]: queueUrl,
        [ENVIRONMENT.schedulerName]: schedulerName,
      },
      name: 'bind',
      recursiveLoop: RecursiveLoop.ALLOW,
      description: 'binds waiting pods to nodes',
      timeout: Duration.millis(TIMING.placement),
      memorySize: WORLD_MEMORY,
    });
  }
}

/** The properties that all functions share. */
export type Shared = Pick<
  WinnowFunctionProps,
  'bundles' | 'logLevel' | 'metrics' | 'environment' | 'logGroup'
>;

/**
 * Selects the entry points of the functions behind the gateway. Without an authorizer they authenticate requests
 * themselves.
 */
function inFront(login: Login, shared: Shared) {
  return (name: keyof typeof WITH_LOGIN): Shared & Pick<WinnowFunctionProps, 'name'> =>
    login.authorizer === undefined
      ? { ...shared, name: WITH_LOGIN[name], environment: { ...shared.environment, ...login.environment } }
      : { ...shared, name };
}

/** The environment for auditing of the functions that answer requests. */
function auditOf(
  { auditPolicy }: FunctionsProps,
  queue: IQueue | undefined,
): Readonly<Record<string, string>> {
  return {
    ...(auditPolicy !== undefined && { [ENVIRONMENT.auditPolicy]: checkedPolicy(auditPolicy) }),
    ...(queue && { [ENVIRONMENT.auditQueueUrl]: queue.queueUrl }),
  };
}

/** @throws {Error} the profile is invalid, or too long for a function's environment. */
function profileVariables({ schedulerProfile }: FunctionsProps): Record<string, string> {
  if (schedulerProfile === undefined) return {};
  const profile = JSON.stringify(parseProfile(JSON.parse(schedulerProfile)));
  const bytes = Buffer.byteLength(profile);
  if (bytes > LONGEST_PROFILE) {
    throw new Error(`the scheduler profile takes ${bytes} bytes as JSON; the limit is ${LONGEST_PROFILE}`);
  }
  return { [ENVIRONMENT.schedulerProfile]: profile };
}

/** @throws {Error} the range of addresses is invalid. */
function rangeVariables({ serviceClusterIPRange: range }: FunctionsProps): Record<string, string> {
  if (range === undefined) return {};
  readServiceRange(range);
  return { [ENVIRONMENT.serviceClusterIPRange]: range };
}

function accountVariables({ serviceAccounts }: FunctionsProps): Record<string, string> {
  return serviceAccounts ? { [ENVIRONMENT.serviceAccounts]: 'true' } : {};
}

/** @throws {Error} the number of watches is invalid. */
function capVariables({ watchesPerUser }: FunctionsProps): Record<string, string> {
  if (watchesPerUser === undefined) return {};
  return { [ENVIRONMENT.watchesPerUser]: String(readWatchCap(watchesPerUser)) };
}

/** @throws {Error} the rate of requests is invalid. */
function rateVariables({ requestsPerUser }: FunctionsProps): Record<string, string> {
  return readRequestRate(requestsPerUser) === undefined
    ? {}
    : { [ENVIRONMENT.requestsPerUser]: requestsPerUser };
}

/** @throws {Error} the audit policy is invalid, or too long for a function's environment. */
function checkedPolicy(text: string): string {
  const given: unknown = JSON.parse(text);
  parsePolicy(given);
  const policy = JSON.stringify(given);
  const bytes = Buffer.byteLength(policy);
  if (bytes > LONGEST_POLICY) {
    throw new Error(`the audit policy takes ${bytes} bytes as JSON; the limit is ${LONGEST_POLICY}`);
  }
  return policy;
}

/** The environment for reconcile, which creates the queues of subscriptions. */
function ofSubscribers({ queueArns, keyArn }: Queues): Record<string, string> {
  return {
    [ENVIRONMENT.queueArns]: queueArns,
    ...(keyArn === undefined ? {} : { [ENVIRONMENT.queueKey]: keyArn }),
  };
}

/** The timeout of `read`. A streamed watch runs for TIMING.watch, and then has the time of a request to end cleanly. */
export function readTimeout(streaming: boolean): Duration {
  return Duration.millis(streaming ? TIMING.watch + TIMING.gateway : TIMING.gateway);
}

function environment({
  table,
  queues,
  streaming,
  authorNotSeenAfter,
  historyDays,
}: FunctionsProps): Record<string, string> {
  if (authorNotSeenAfter !== undefined) readAuthorLife(authorNotSeenAfter);
  return {
    ...(historyDays !== undefined && { [ENVIRONMENT.historyDays]: String(readHistoryDays(historyDays)) }),
    ...(authorNotSeenAfter !== undefined && { [ENVIRONMENT.authorNotSeenAfter]: authorNotSeenAfter }),
    [ENVIRONMENT.table]: table.table.tableName,
    [ENVIRONMENT.eventQueueUrl]: queues.events.queueUrl,
    [ENVIRONMENT.reconcileQueueUrl]: queues.reconcile.queueUrl,
    [ENVIRONMENT.queuePrefix]: queues.subscriptionPrefix,
    [ENVIRONMENT.streaming]: String(streaming),
  };
}
