import { Duration } from 'aws-cdk-lib';
import { RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { ENVIRONMENT, TIMING } from '../../lib/platform/index.ts';
import { WITH_LOGIN } from '../function-names.ts';
import type { Login } from './login.ts';
import type { Queues } from './queues.ts';
import type { Table } from './table.ts';
import { WinnowFunction, type WinnowFunctionProps } from './winnow-function.ts';

export interface FunctionsProps {
  readonly bundles: string;
  readonly table: Table;
  readonly queues: Queues;
  readonly login: Login;
  readonly streaming: boolean;
  readonly logLevel?: string | undefined;
}

/** The five functions that are Winnow. */
export class Functions extends Construct {
  readonly read: WinnowFunction;
  readonly write: WinnowFunction;
  readonly relay: WinnowFunction;
  readonly dispatch: WinnowFunction;
  readonly reconcile: WinnowFunction;

  constructor(scope: Construct, id: string, props: FunctionsProps) {
    super(scope, id);
    const { bundles, logLevel } = props;
    const shared = { bundles, logLevel, environment: environment(props) };
    const front = inFront(props, shared);
    this.read = new WinnowFunction(this, 'Read', {
      ...front('read'),
      description: 'answers GET: objects, lists and watches',
      timeout: readTimeout(props.streaming),
      memorySize: 1024,
    });
    this.write = new WinnowFunction(this, 'Write', {
      ...front('write'),
      description: 'answers POST, PUT, PATCH and DELETE',
      // Longer than TIMING.request, at whose end the function still answers 504 by itself.
      timeout: Duration.millis(TIMING.gateway),
      memorySize: 1024,
    });
    this.relay = new WinnowFunction(this, 'Relay', {
      ...shared,
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
      environment: { ...shared.environment, [ENVIRONMENT.queueArns]: props.queues.queueArns },
      name: 'reconcile',
      recursiveLoop: RecursiveLoop.ALLOW,
      description: 'queues, snapshots, catching up, compaction',
      timeout: Duration.millis(TIMING.reconcile),
      memorySize: 512,
    });
  }
}

type Shared = Pick<WinnowFunctionProps, 'bundles' | 'logLevel' | 'environment'>;

/** The functions that the gateway leads to ask for the login where that has no authorizer to ask. */
function inFront({ login }: FunctionsProps, shared: Shared) {
  return (name: keyof typeof WITH_LOGIN): Shared & Pick<WinnowFunctionProps, 'name'> =>
    login.authorizer === undefined
      ? { ...shared, name: WITH_LOGIN[name], environment: { ...shared.environment, ...login.environment } }
      : { ...shared, name };
}

/** A streamed watch runs for TIMING.watch and then has a request's time to end cleanly. */
export function readTimeout(streaming: boolean): Duration {
  return Duration.millis(streaming ? TIMING.watch + TIMING.gateway : TIMING.gateway);
}

function environment({ table, queues, streaming }: FunctionsProps): Record<string, string> {
  return {
    [ENVIRONMENT.table]: table.table.tableName,
    [ENVIRONMENT.eventQueueUrl]: queues.events.queueUrl,
    [ENVIRONMENT.reconcileQueueUrl]: queues.reconcile.queueUrl,
    [ENVIRONMENT.queuePrefix]: queues.subscriptionPrefix,
    [ENVIRONMENT.streaming]: String(streaming),
  };
}
