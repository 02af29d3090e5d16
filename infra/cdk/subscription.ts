import { createHash } from 'node:crypto';
import { CustomResource, Duration, Names } from 'aws-cdk-lib';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { SubscriptionProvider } from './subscription-provider.ts';

/** A label selector as in Kubernetes: all its parts must match. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    readonly values?: readonly string[];
  }[];
}

/** The props of a Subscription. Most have the meaning of the field of that name in the spec of a Subscription. */
export interface SubscriptionProps {
  /** The resource type: `{ resource: 'pods' }`, `{ group: 'fleet.example', resource: 'devices' }`. */
  readonly resource: { readonly group?: string; readonly resource: string };
  /** A label selector in the syntax of `kubectl -l`; default: everything. */
  readonly labelSelector?: string;
  /** A field selector in the syntax of `kubectl --field-selector`. */
  readonly fieldSelector?: string;
  /** `Own` (the default) or `All`. */
  readonly namespaces?: 'Own' | 'All';
  /** Selects namespaces by label; use it instead of `namespaces`. */
  readonly namespaceSelector?: LabelSelector;
  /** `FIFO` (the default) or `Standard`. */
  readonly queue?: 'FIFO' | 'Standard';
  /**
   * `Total` (the default), or `Object`: only the changes of each object are in order, so that consumers can work in
   * parallel.
   */
  readonly ordering?: 'Total' | 'Object';
  /** `snapshot` (the default here) sends all selected objects first; `now` sends only changes. */
  readonly start?: 'now' | 'snapshot';
  /** `Object` (the default) or `Metadata`. */
  readonly payload?: 'Object' | 'Metadata';
  /**
   * Numbers messages, and adds a proof of the set. It needs a FIFO queue, `Total` ordering and a snapshot at the
   * start.
   */
  readonly verify?: boolean;
  /** ARNs of IAM users, roles or accounts that may receive messages, in addition to the grants in this account. */
  readonly consumers?: readonly string[];
  /** Delivers with the permissions of this service account in its namespace. The service account must exist. */
  readonly serviceAccountName?: string;
  /** Pauses delivery. */
  readonly suspend?: boolean;
  /** The namespace of the Subscription, which must exist; default: `default`. */
  readonly namespace?: string;
  /** The name of the Subscription; default: derived from the construct's path. */
  readonly name?: string;
  /** A function that handles the messages, for example with `handle` of `@winnow-dev/client`. */
  readonly handler?: LambdaFunction;
  /** The most messages per invocation; default: 10, which is the limit of a FIFO queue. */
  readonly batchSize?: number;
}

export interface SubscriptionGiven extends SubscriptionProps {
  readonly provider: SubscriptionProvider;
  /** The ARN of the key that encrypts its queue; undefined for a key of SQS. */
  readonly keyArn: string | undefined;
}

/** The queue's visibility timeout. Lambda refuses a function with a longer timeout. */
const VISIBILITY = Duration.seconds(30);
/** The longest name before its digest. The queue's name contains the Subscription's name. */
const MAXIMUM_NAME = 40;

/** A Subscription that the deployment of the stack creates through the API. */
export class Subscription extends Construct {
  readonly queueUrl: string;
  readonly queueArn: string;
  /** The queue, for your own grants and event sources. */
  readonly queue: IQueue;

  /** @throws {Error} the handler's timeout is above 30 s, or both `namespaces` and `namespaceSelector` are set. */
  constructor(scope: Construct, id: string, props: SubscriptionGiven) {
    super(scope, id);
    const { provider, keyArn, namespace = 'default', handler, batchSize = 10 } = props;
    const spec = specOf(props);
    const resource = new CustomResource(this, 'Resource', {
      serviceToken: provider.serviceToken,
      resourceType: 'Custom::WinnowSubscription',
      // A string, because CloudFormation converts numbers and booleans to strings.
      properties: { namespace, name: props.name ?? nameOf(this, spec), spec: JSON.stringify(spec) },
    });
    this.queueUrl = resource.getAttString('QueueUrl');
    this.queueArn = resource.getAttString('QueueArn');
    const fifo = spec.queue.type === 'FIFO';
    this.queue = Queue.fromQueueAttributes(this, 'Queue', {
      queueArn: this.queueArn,
      queueUrl: this.queueUrl,
      fifo,
      ...(keyArn === undefined ? {} : { keyArn }),
    });
    if (handler === undefined) return;
    const { timeout } = handler;
    if (timeout !== undefined && timeout.toSeconds() > VISIBILITY.toSeconds()) {
      throw new Error(
        `the handler of ${id} has a timeout of ${timeout.toSeconds()} s: it must not exceed the queue's visibility timeout of 30 s`,
      );
    }
    handler.addEventSource(new SqsEventSource(this.queue, { batchSize, reportBatchItemFailures: true }));
  }

  /** Grants a consumer's permissions: to receive and delete messages. */
  grantConsume(grantee: IGrantable): Grant {
    return this.queue.grantConsumeMessages(grantee);
  }
}

function specOf(props: SubscriptionProps) {
  const { resource, labelSelector = '', fieldSelector = '', namespaceSelector } = props;
  if (namespaceSelector !== undefined && props.namespaces !== undefined) {
    throw new Error('set either namespaces or namespaceSelector of a Subscription, not both');
  }
  return {
    resource: { group: resource.group ?? '', resource: resource.resource },
    // The spec is applied, so an edit from one field to the other removes the old one.
    ...(namespaceSelector === undefined ? { namespaces: props.namespaces ?? 'Own' } : { namespaceSelector }),
    labelSelector,
    fieldSelector,
    queue: { type: props.queue ?? 'FIFO' },
    start: props.start ?? 'snapshot',
    payload: props.payload ?? 'Object',
    ...(props.ordering !== undefined && { ordering: props.ordering }),
    ...(props.consumers !== undefined && { consumers: props.consumers }),
    ...(props.verify === true && { verify: true }),
    ...(props.serviceAccountName !== undefined && { serviceAccountName: props.serviceAccountName }),
    ...(props.suspend === true && { suspend: true }),
  };
}

/** The default name. It depends on the immutable fields, so a change of one replaces the Subscription. */
function nameOf(
  scope: Construct,
  { resource, queue, start, ordering, verify }: ReturnType<typeof specOf>,
): string {
  const name = Names.uniqueResourceName(scope, { maxLength: MAXIMUM_NAME, separator: '-' }).toLowerCase();
  const others = [...(ordering === 'Object' ? [ordering] : []), ...(verify === true ? ['verify'] : [])];
  const immutable = JSON.stringify([resource, queue, start, ...others]);
  return `${name}-${createHash('sha256').update(immutable).digest('hex').slice(0, 8)}`;
}
