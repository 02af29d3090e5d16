import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  DeduplicationScope,
  FifoThroughputLimit,
  Queue,
  QueueEncryption,
  type QueueProps,
} from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { TIMING } from '../../lib/platform/index.ts';

/** How often a message may fail before it is set aside. */
const MAX_RECEIVE_COUNT = 10;

const KEPT = { enforceSSL: true, retentionPeriod: Duration.days(14) };

/** What SQS keeps of a key it was given: the longer, the fewer requests to KMS are paid for. */
const DATA_KEY_REUSE = Duration.hours(1);

/** SQS allows 80 characters in all; the subscription's own name wants most of them. */
const PREFIX = /^[a-z0-9][a-z0-9-]{0,23}$/;

interface FifoProps {
  readonly deadLetters: Queue;
  /** How long a message is held back that a function died over, in ms. */
  readonly visibility: number;
}

export interface QueuesProps {
  readonly prefix: string;
  /** Whether pods are bound. */
  readonly placement: boolean;
  /** One of SQS' where it is absent. */
  readonly key?: IKey | undefined;
}

/** What wakes whoever binds pods. */
export interface PlacementQueues {
  readonly wake: Queue;
  readonly deadLetters: Queue;
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
  /** Only where pods are bound. */
  readonly placement: PlacementQueues | undefined;
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

  /** Of the key they are encrypted with; undefined: SQS' own. */
  readonly keyArn: string | undefined;
  /** What all of them have. */
  readonly #kept: QueueProps;

  constructor(scope: Construct, id: string, { prefix, placement, key }: QueuesProps) {
    super(scope, id);
    this.keyArn = key?.keyArn;
    this.#kept = { ...KEPT, ...encryptedBy(key) };
    this.eventsDeadLetters = this.setAside(this, 'EventsDeadLetters');
    this.reconcileDeadLetters = this.setAside(this, 'ReconcileDeadLetters');
    this.events = this.fifo(this, 'Events', {
      deadLetters: this.eventsDeadLetters,
      visibility: TIMING.eventVisibility,
    });
    this.reconcile = this.fifo(this, 'Reconcile', {
      deadLetters: this.reconcileDeadLetters,
      visibility: TIMING.reconcileVisibility,
    });
    this.relayFailures = new Queue(this, 'RelayFailures', this.#kept);
    this.scheduleFailures = new Queue(this, 'ScheduleFailures', this.#kept);
    this.placement = placement ? this.#placementQueues() : undefined;
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

  /** ARN pattern of the queue that reconcile makes for one Subscription, whose name it ends as it likes. */
  queueOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
    return this.subscriptionQueues.replace('*', `${namespace}-${name}-*`);
  }

  /** A queue of messages that failed too often. */
  setAside(scope: Construct, id: string): Queue {
    return new Queue(scope, id, { ...this.#kept, fifo: true });
  }

  #placementQueues(): PlacementQueues {
    const deadLetters = this.setAside(this, 'PlacementDeadLetters');
    const visibility = TIMING.placementVisibility;
    return { deadLetters, wake: this.fifo(this, 'Placement', { deadLetters, visibility }) };
  }

  /**
   * High throughput needs both the limit and the scope per message group. So a deduplication id has to be
   * unique within its group only; ours (`<collection>/<rv>`, the group being the collection) are.
   */
  fifo(scope: Construct, id: string, { deadLetters, visibility }: FifoProps): Queue {
    return new Queue(scope, id, {
      ...this.#kept,
      fifo: true,
      fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
      deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
      visibilityTimeout: Duration.millis(visibility),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: MAX_RECEIVE_COUNT },
    });
  }
}

function encryptedBy(key: IKey | undefined): QueueProps {
  if (key === undefined) return { encryption: QueueEncryption.SQS_MANAGED };
  return { encryption: QueueEncryption.KMS, encryptionMasterKey: key, dataKeyReuse: DATA_KEY_REUSE };
}
