import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { TIMING } from '../../lib/platform/index.ts';

/** How often a message may fail before it is set aside. */
const MAX_RECEIVE_COUNT = 10;

const KEPT = {
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(14),
};

/** SQS allows 80 characters in all; the subscription's own name wants most of them. */
const PREFIX = /^[a-z0-9][a-z0-9-]{0,23}$/;

export interface QueuesProps {
  readonly prefix: string;
}

/** The stack's own queues, and the name space of the queues that reconcile makes for subscriptions. */
export class Queues extends Construct {
  /** Hints to dispatch: message group and deduplication per collection. */
  readonly events: Queue;
  /** Work for reconcile. */
  readonly reconcile: Queue;
  readonly eventsDeadLetters: Queue;
  readonly reconcileDeadLetters: Queue;
  /** Stream batches that relay could not handle; their hints are repeated by the schedule. */
  readonly relayFailures: Queue;
  /** Ticks of the schedule that came to nothing; the next one does what they did not. */
  readonly scheduleFailures: Queue;
  /** What the name of every subscription's queue begins with, its hyphen included. */
  readonly subscriptionPrefix: string;
  /** What the ARNs of the account's queues begin with: all before their names. */
  readonly queueArns: string;
  /** ARN pattern of all queues of this region, whoever's they are. */
  readonly queuesAnywhere: string;
  /** ARN pattern of exactly the subscriptions' queues. */
  readonly subscriptionQueues: string;

  constructor(scope: Construct, id: string, { prefix }: QueuesProps) {
    super(scope, id);
    this.eventsDeadLetters = new Queue(this, 'EventsDeadLetters', { ...KEPT, fifo: true });
    this.reconcileDeadLetters = new Queue(this, 'ReconcileDeadLetters', { ...KEPT, fifo: true });
    this.events = this.fifo('Events', this.eventsDeadLetters, TIMING.eventVisibility);
    this.reconcile = this.fifo('Reconcile', this.reconcileDeadLetters, TIMING.reconcileVisibility);
    this.relayFailures = new Queue(this, 'RelayFailures', KEPT);
    this.scheduleFailures = new Queue(this, 'ScheduleFailures', KEPT);
    if (!PREFIX.test(prefix)) {
      const rule = 'up to 24 lower-case letters, digits and hyphens, no hyphen first';
      throw new Error(`the prefix ${prefix} is not ${rule}: choose another one with -c prefix=…`);
    }
    // Never how the stack's own queues begin: reconcile may delete whatever begins so.
    this.subscriptionPrefix = `${prefix}-subscription-`;
    const arn = (resource: string) =>
      Stack.of(this).formatArn({ service: 'sqs', resource, arnFormat: ArnFormat.NO_RESOURCE_NAME });
    this.subscriptionQueues = arn(`${this.subscriptionPrefix}*`);
    this.queueArns = arn('');
    this.queuesAnywhere = Stack.of(this).formatArn({
      service: 'sqs',
      account: '*',
      resource: '*',
      arnFormat: ArnFormat.NO_RESOURCE_NAME,
    });
  }

  /**
   * High throughput needs both the limit and the scope per message group. So a deduplication id has to be
   * unique within its group only; ours (`<collection>/<rv>`, the group being the collection) are.
   */
  private fifo(id: string, deadLetters: Queue, visibility: number): Queue {
    return new Queue(this, id, {
      ...KEPT,
      fifo: true,
      fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
      deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
      visibilityTimeout: Duration.millis(visibility),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: MAX_RECEIVE_COUNT },
    });
  }
}
