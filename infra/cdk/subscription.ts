import { createHash } from 'node:crypto';
import { CustomResource, Duration, Names } from 'aws-cdk-lib';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { SubscriptionProvider } from './subscription-provider.ts';

/** As in Kubernetes: all of it has to hold. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    readonly values?: readonly string[];
  }[];
}

export interface SubscriptionProps {
  /** Of which kind: `{ resource: 'pods' }`, `{ group: 'fleet.example', resource: 'devices' }`. */
  readonly resource: { readonly group?: string; readonly resource: string };
  /** What is selected by labels, as after `kubectl -l`; everything where nothing is said. */
  readonly labelSelector?: string;
  /** And by fields, as after `kubectl --field-selector`. */
  readonly fieldSelector?: string;
  /** `Own` (the default) or `All`. */
  readonly namespaces?: 'Own' | 'All';
  /** Instead: the namespaces whose labels match, while they do. */
  readonly namespaceSelector?: LabelSelector;
  /** `FIFO` (the default) or `Standard`. */
  readonly queue?: 'FIFO' | 'Standard';
  /** `Total` (the default), or `Object`: the order is kept of each object alone, so that many are handled at once. */
  readonly ordering?: 'Total' | 'Object';
  /** `snapshot` (the default here) begins with all that is selected, `now` with what changes. */
  readonly start?: 'now' | 'snapshot';
  /** `Object` (the default) or `Metadata`. */
  readonly payload?: 'Object' | 'Metadata';
  /** Messages are numbered and say what proves the set after them: of a FIFO queue with `Total` ordering that starts with a snapshot. */
  readonly verify?: boolean;
  /** ARNs of IAM users, roles or accounts that may receive, beside what is granted in this account. */
  readonly consumers?: readonly string[];
  /** Tell by the rights of this service account of its namespace, which has to exist. */
  readonly serviceAccountName?: string;
  /** Send nothing until this is taken back. */
  readonly suspend?: boolean;
  /** Of the Subscription; `default` unless said otherwise. The namespace has to be there. */
  readonly namespace?: string;
  /** Of the Subscription; made from the construct's path unless said otherwise. */
  readonly name?: string;
  /** A function that is handed the messages, such as the `handle` of `@winnow-dev/client`. */
  readonly handler?: LambdaFunction;
  /** At most so many messages at once; 10 unless said otherwise, which is all that a FIFO queue gives. */
  readonly batchSize?: number;
}

export interface SubscriptionGiven extends SubscriptionProps {
  readonly provider: SubscriptionProvider;
  /** Of the key that its queue is encrypted with; SQS' own where it is absent. */
  readonly keyArn: string | undefined;
}

/** SQS' visibility timeout of the queue: Lambda refuses a function that may run for longer. */
const VISIBILITY = Duration.seconds(30);
/** A queue's name has the Subscription's in it. */
const MAXIMUM_NAME = 40;

/** A Subscription, made with the API when the stack is deployed. */
export class Subscription extends Construct {
  readonly queueUrl: string;
  readonly queueArn: string;
  /** The queue, for grants and event sources of one's own. */
  readonly queue: IQueue;

  /** @throws {Error} the handler may run for longer than a message is hidden; two things say from which namespaces. */
  constructor(scope: Construct, id: string, props: SubscriptionGiven) {
    super(scope, id);
    const { provider, keyArn, namespace = 'default', handler, batchSize = 10 } = props;
    const spec = specOf(props);
    const resource = new CustomResource(this, 'Resource', {
      serviceToken: provider.serviceToken,
      resourceType: 'Custom::WinnowSubscription',
      // Text, for CloudFormation makes texts of numbers and booleans.
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
        `the handler of ${id} may run for ${timeout.toSeconds()} s, and a message is hidden for 30 s`,
      );
    }
    handler.addEventSource(new SqsEventSource(this.queue, { batchSize, reportBatchItemFailures: true }));
  }

  /** Receive and delete messages: what a consumer needs. */
  grantConsume(grantee: IGrantable): Grant {
    return this.queue.grantConsumeMessages(grantee);
  }
}

function specOf(props: SubscriptionProps) {
  const { resource, labelSelector = '', fieldSelector = '', namespaceSelector } = props;
  if (namespaceSelector !== undefined && props.namespaces !== undefined) {
    throw new Error('a Subscription has namespaces or a namespaceSelector, not both');
  }
  return {
    resource: { group: resource.group ?? '', resource: resource.resource },
    // It is applied: what is edited from one to the other loses the one that it had.
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

/** What is immutable is in the name: where it changes, another Subscription takes the place of this one. */
function nameOf(
  scope: Construct,
  { resource, queue, start, ordering, verify }: ReturnType<typeof specOf>,
): string {
  const name = Names.uniqueResourceName(scope, { maxLength: MAXIMUM_NAME, separator: '-' }).toLowerCase();
  const others = [...(ordering === 'Object' ? [ordering] : []), ...(verify === true ? ['verify'] : [])];
  const immutable = JSON.stringify([resource, queue, start, ...others]);
  return `${name}-${createHash('sha256').update(immutable).digest('hex').slice(0, 8)}`;
}
