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
import { TIMING } from '../../../lib/platform/index.ts';

/** How often a message may fail before SQS moves it to the dead-letter queue. */
const MAX_RECEIVE_COUNT = 10;

const KEPT = { enforceSSL: true, retentionPeriod: Duration.days(14) };

/** How long SQS reuses a data key. A longer reuse means fewer paid requests to KMS. */
const DATA_KEY_REUSE = Duration.hours(1);

/** A prefix of queue names. SQS allows 80 characters in all, and the subscription's name needs most of them. */
const PREFIX = /^[a-z0-9][a-z0-9-]{0,23}$/;

interface FifoProps {
  readonly deadLetters: Queue;
  /** The visibility timeout in ms: how long a message waits after the function that handled it crashed. */
  readonly visibility: number;
}

export interface QueuesProps {
  readonly prefix: string;
  /** Whether the deployment binds pods. */
  readonly placement: boolean;
  /** The KMS key; absent for a key of SQS. */
  readonly key?: IKey | undefined;
}

/** The queues that wake the function bind. */
export interface PlacementQueues {
  readonly wake: Queue;
  readonly deadLetters: Queue;
}

/** The stack's own queues, and the names of the queues that reconcile creates for subscriptions. */
export class Queues extends Construct {
  /** Hints for dispatch, with a message group per collection. */
  readonly events: Queue;
  /** Messages for reconcile. */
  readonly reconcile: Queue;
  readonly eventsDeadLetters: Queue;
  readonly reconcileDeadLetters: Queue;
  /** Stream batches that relay could not handle. The tick repeats their hints. */
  readonly relayFailures: Queue;
  /** Undefined if the deployment does not bind pods. */
  readonly placement: PlacementQueues | undefined;
  /** Failed ticks of the schedule. The next tick does their work. */
  readonly scheduleFailures: Queue;
  /** The prefix of the names of all subscriptions' queues, including its hyphen. */
  readonly subscriptionPrefix: string;
  /** The ARNs of the account's queues without the names. */
  readonly queueArns: string;
  /** The ARN pattern of all queues in this region, in any account. */
  readonly queuesAnywhere: string;
  /** The ARN pattern of exactly the subscriptions' queues. */
  readonly subscriptionQueues: string;

  /** The ARN of the key that encrypts the queues; undefined for a key of SQS. */
  readonly keyArn: string | undefined;
  /** The properties that all queues share. */
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
      const rule = 'up to 24 lower-case letters, digits and hyphens, and must not begin with a hyphen';
      throw new Error(`the prefix is ${prefix}: it must be ${rule}; set another one with -c prefix=…`);
    }
    // No queue of the stack itself has this prefix: reconcile may delete every queue that has it.
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
   * The ARN pattern of the queue that reconcile creates for one Subscription. Reconcile chooses the end of its name.
   */
  queueOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
    return this.subscriptionQueues.replace('*', `${namespace}-${name}-*`);
  }

  /** The stack's queues of given-up messages, stream batches and ticks, except those of optional parts. */
  get allSetAside(): readonly Queue[] {
    const { eventsDeadLetters, reconcileDeadLetters, relayFailures, scheduleFailures, placement } = this;
    const all = [eventsDeadLetters, reconcileDeadLetters, relayFailures, scheduleFailures];
    return placement === undefined ? all : [...all, placement.deadLetters];
  }

  /** Creates a dead-letter queue. */
  setAside(scope: Construct, id: string): Queue {
    return new Queue(scope, id, { ...this.#kept, fifo: true });
  }

  #placementQueues(): PlacementQueues {
    const deadLetters = this.setAside(this, 'PlacementDeadLetters');
    const visibility = TIMING.placementVisibility;
    return { deadLetters, wake: this.fifo(this, 'Placement', { deadLetters, visibility }) };
  }

  /**
   * Creates a FIFO queue. High throughput needs both the limit and the deduplication scope per message group.
   * Deduplication ids then have to be unique within their group only. Winnow's ids are: `<collection>/<rv>` in the
   * group of the collection.
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
