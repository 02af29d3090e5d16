import { Duration } from 'aws-cdk-lib';
import { EventSourceMapping, RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type Derivable, ENVIRONMENT, TIMING } from '../../../lib/platform/index.ts';
import type { Reservations } from '../../concurrency/index.ts';
import { wakeEveryMinute } from '../events/index.ts';
import { type Functions, pollersWithin, WinnowFunction } from '../functions/index.ts';
import type { Queues } from '../storage/index.ts';

/**
 * The most concurrent invocations of derive, so that thousands of status writes do not starve requests of table
 * capacity.
 */
const AT_ONCE = 20;

export interface DerivationProps {
  readonly derived: readonly Derivable[];
  readonly functions: Functions;
  readonly queues: Queues;
  readonly reservations?: Reservations;
}

/**
 * The function derive and its queue. It has a queue of its own, so that it never waits behind subscriptions that
 * catch up. Every minute it also looks for work items whose message was lost.
 */
export class Derivation extends Construct {
  /** The queue of work items, with a message group per object. */
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly derive: WinnowFunction;

  constructor(
    scope: Construct,
    id: string,
    { derived, functions, queues, reservations = {} }: DerivationProps,
  ) {
    super(scope, id);
    const { shared } = functions;
    this.deadLetters = queues.setAside(this, 'DeadLetters');
    this.queue = queues.fifo(this, 'Due', {
      deadLetters: this.deadLetters,
      visibility: TIMING.reconcileVisibility,
    });
    const environment = {
      [ENVIRONMENT.derived]: derived.join(','),
      [ENVIRONMENT.deriveQueueUrl]: this.queue.queueUrl,
    };
    this.derive = new WinnowFunction(this, 'Derive', {
      ...shared,
      environment: { ...shared.environment, ...environment },
      name: 'derive',
      recursiveLoop: RecursiveLoop.ALLOW,
      description: 'writes data that is derived from objects: statuses, endpoints',
      timeout: Duration.millis(TIMING.reconcile),
      memorySize: 1024,
    });
    for (const [name, value] of Object.entries(environment)) {
      functions.dispatch.function.addEnvironment(name, value);
    }
    // Dispatch has work for all collections then.
    for (const { function: one } of [functions.write, functions.relay, functions.reconcile]) {
      one.addEnvironment(ENVIRONMENT.derived, environment[ENVIRONMENT.derived]);
    }
    new EventSourceMapping(this, 'Work', {
      eventSourceArn: this.queue.queueArn,
      batchSize: 10,
      reportBatchItemFailures: true,
      maxConcurrency: pollersWithin(reservations.derive, AT_ONCE) ?? AT_ONCE,
      target: this.derive.function,
    });
    wakeEveryMinute(this, 'EveryMinute', {
      target: this.derive.function,
      failures: queues.scheduleFailures,
      description: 'Invokes derive, which looks for work items',
    });
  }
}
