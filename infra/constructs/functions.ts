import { Duration } from 'aws-cdk-lib';
import { RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { parsePolicy } from '../../lib/kubernetes/audit/index.ts';
import { parseProfile } from '../../lib/placement/index.ts';
import {
  ENVIRONMENT,
  readAuthorLife,
  readRequestRate,
  readServiceRange,
  readWatchCap,
  TIMING,
  WITH_LOGIN,
} from '../../lib/platform/index.ts';
import { auditQueueOf } from './audit-queue.ts';
import type { Login } from './login.ts';
import type { Queues } from './queues.ts';
import { type SubscribingProps, subscribingVariables } from './subscribing.ts';
import type { Table } from './table.ts';
import { WinnowFunction, type WinnowFunctionProps } from './winnow-function.ts';

/** Bytes: Lambda takes 4 KB of environment in all. */
const LONGEST_POLICY = 3_000;
const LONGEST_PROFILE = 2_000;

export interface FunctionsProps {
  readonly bundles: string;
  readonly table: Table;
  readonly queues: Queues;
  readonly login: Login;
  readonly streaming: boolean;
  /** Whose pods are bound, where any are. */
  readonly schedulerName: string;
  readonly schedulerProfile?: string | undefined;
  /** The network of the addresses of Services. */
  readonly serviceClusterIPRange?: string | undefined;
  readonly logLevel?: string | undefined;
  readonly auditPolicy?: string | undefined;
  /** The ARN of a queue that is sent what it has written down. */
  readonly auditQueue?: string | undefined;
  /** Where the functions that answer requests log, if not each in its own log group. */
  readonly auditLog?: ILogGroup | undefined;
  /** How many watches one user may have open at once. */
  readonly watchesPerUser?: number | undefined;
  /** Requests a second and at once that one user may make, `50/200`; `off`: any number. */
  readonly requestsPerUser: string;
  /** What Subscriptions and Tallies may ask for. */
  readonly subscribing?: SubscribingProps | undefined;
  /** After which time delivery ends for a user who is not seen. */
  readonly authorNotSeenAfter?: string | undefined;
}

/** In MB: of 5,000 nodes and 50,000 pods; and a whole processor, which Lambda gives from 1,769 MB on. */
const WORLD_MEMORY = 1_769;

/** The functions that are Winnow. */
export class Functions extends Construct {
  /** Writes for those who only read: holes, and how many watches are open. */
  readonly fill: WinnowFunction;
  readonly read: WinnowFunction;
  readonly write: WinnowFunction;
  readonly place: WinnowFunction;
  /** Only where pods are bound. */
  readonly bind: WinnowFunction | undefined;
  readonly relay: WinnowFunction;
  readonly dispatch: WinnowFunction;
  readonly reconcile: WinnowFunction;
  /** Whether open watches are counted. */
  readonly countsWatches: boolean;
  /** Whether requests of users are counted. */
  readonly countsRequests: boolean;
  /** All of them. */
  readonly all: readonly WinnowFunction[];
  /** What others have that are no part of these. */
  readonly shared: Shared;
  /** What the functions that answer requests have in addition: the audit policy and the users' budget. */
  readonly answering: Readonly<Record<string, string>>;
  /** What they send audit events to, beside the log. */
  readonly auditQueue: IQueue | undefined;
  /** Where they log, if not each in its own log group. */
  readonly auditLog: ILogGroup | undefined;

  constructor(scope: Construct, id: string, props: FunctionsProps) {
    super(scope, id);
    const { bundles, logLevel } = props;
    const shared = { bundles, logLevel, environment: environment(props) };
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
      description: 'gives up, for those who only read, writers that died',
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
        ...subscribing,
        [ENVIRONMENT.queueArns]: props.queues.queueArns,
      },
      description: 'answers POST, PUT, PATCH and DELETE',
      // Longer than TIMING.request, at whose end the function still answers 504 by itself.
      timeout: Duration.millis(TIMING.gateway),
      memorySize: 1024,
    });
    const { placement } = props.queues;
    const placing = profileVariables(props);
    const asked = front('place');
    const kept: Record<string, string> = placement ? { [ENVIRONMENT.worldSnapshots]: 'true' } : {};
    this.place = new WinnowFunction(this, 'Place', {
      ...asked,
      environment: { ...asked.environment, ...this.filled, ...placing, ...kept },
      description: 'answers PlacementReviews, from the nodes and pods that it keeps in memory',
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
      description: 'matches the journal against selectors and sends to the subscribers',
      timeout: Duration.millis(TIMING.dispatch),
      memorySize: 1024,
    });
    this.reconcile = new WinnowFunction(this, 'Reconcile', {
      ...shared,
      environment: {
        ...shared.environment,
        ...ofSubscribers(props.queues),
        ...subscribing,
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

  /** What whoever only reads knows of that. */
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
      description: 'sends the pods that wait to nodes',
      timeout: Duration.millis(TIMING.placement),
      memorySize: WORLD_MEMORY,
    });
  }
}

/** What all functions are given. */
export type Shared = Pick<WinnowFunctionProps, 'bundles' | 'logLevel' | 'environment' | 'logGroup'>;

/** The functions that the gateway leads to ask for the login where that has no authorizer to ask. */
function inFront(login: Login, shared: Shared) {
  return (name: keyof typeof WITH_LOGIN): Shared & Pick<WinnowFunctionProps, 'name'> =>
    login.authorizer === undefined
      ? { ...shared, name: WITH_LOGIN[name], environment: { ...shared.environment, ...login.environment } }
      : { ...shared, name };
}

/** What whoever answers requests has to know of an audit policy. */
function auditOf(
  { auditPolicy }: FunctionsProps,
  queue: IQueue | undefined,
): Readonly<Record<string, string>> {
  return {
    ...(auditPolicy !== undefined && { [ENVIRONMENT.auditPolicy]: checkedPolicy(auditPolicy) }),
    ...(queue && { [ENVIRONMENT.auditQueueUrl]: queue.queueUrl }),
  };
}

/** @throws {Error} it is no profile, or too long for a function's environment. */
function profileVariables({ schedulerProfile }: FunctionsProps): Record<string, string> {
  if (schedulerProfile === undefined) return {};
  const profile = JSON.stringify(parseProfile(JSON.parse(schedulerProfile)));
  const bytes = Buffer.byteLength(profile);
  if (bytes > LONGEST_PROFILE) {
    throw new Error(`the profile of the scheduler takes ${bytes} bytes of ${LONGEST_PROFILE}, as JSON`);
  }
  return { [ENVIRONMENT.schedulerProfile]: profile };
}

/** @throws {Error} it is no range of addresses. */
function rangeVariables({ serviceClusterIPRange: range }: FunctionsProps): Record<string, string> {
  if (range === undefined) return {};
  readServiceRange(range);
  return { [ENVIRONMENT.serviceClusterIPRange]: range };
}

/** @throws {Error} it is no number of watches. */
function capVariables({ watchesPerUser }: FunctionsProps): Record<string, string> {
  if (watchesPerUser === undefined) return {};
  return { [ENVIRONMENT.watchesPerUser]: String(readWatchCap(watchesPerUser)) };
}

/** @throws {Error} it is no rate of requests. */
function rateVariables({ requestsPerUser }: FunctionsProps): Record<string, string> {
  return readRequestRate(requestsPerUser) === undefined
    ? {}
    : { [ENVIRONMENT.requestsPerUser]: requestsPerUser };
}

/** @throws {Error} it is no audit policy, or too long for a function's environment. */
function checkedPolicy(text: string): string {
  const given: unknown = JSON.parse(text);
  parsePolicy(given);
  const policy = JSON.stringify(given);
  const bytes = Buffer.byteLength(policy);
  if (bytes > LONGEST_POLICY) {
    throw new Error(`the audit policy takes ${bytes} bytes of ${LONGEST_POLICY}, as JSON`);
  }
  return policy;
}

/** What reconcile makes the queues of subscriptions with. */
function ofSubscribers({ queueArns, keyArn }: Queues): Record<string, string> {
  return {
    [ENVIRONMENT.queueArns]: queueArns,
    ...(keyArn === undefined ? {} : { [ENVIRONMENT.queueKey]: keyArn }),
  };
}

/** A streamed watch runs for TIMING.watch and then has a request's time to end cleanly. */
export function readTimeout(streaming: boolean): Duration {
  return Duration.millis(streaming ? TIMING.watch + TIMING.gateway : TIMING.gateway);
}

function environment({
  table,
  queues,
  streaming,
  authorNotSeenAfter,
}: FunctionsProps): Record<string, string> {
  if (authorNotSeenAfter !== undefined) readAuthorLife(authorNotSeenAfter);
  return {
    ...(authorNotSeenAfter !== undefined && { [ENVIRONMENT.authorNotSeenAfter]: authorNotSeenAfter }),
    [ENVIRONMENT.table]: table.table.tableName,
    [ENVIRONMENT.eventQueueUrl]: queues.events.queueUrl,
    [ENVIRONMENT.reconcileQueueUrl]: queues.reconcile.queueUrl,
    [ENVIRONMENT.queuePrefix]: queues.subscriptionPrefix,
    [ENVIRONMENT.streaming]: String(streaming),
  };
}
