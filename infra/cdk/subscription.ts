import { createHash } from 'node:crypto';
import { CustomResource, Duration, Names } from 'aws-cdk-lib';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { SubscriptionProvider } from './subscription-provider.ts';

export interface SubscriptionProps {
  /** Of which kind: `{ resource: 'pods' }`, `{ group: 'fleet.example', resource: 'devices' }`. */
  readonly resource: { readonly group?: string; readonly resource: string };
  /** What is selected by labels, as after `kubectl -l`; everything where nothing is said. */
  readonly labelSelector?: string;
  /** And by fields, as after `kubectl --field-selector`. */
  readonly fieldSelector?: string;
  /** `Own` (the default) or `All`. */
  readonly namespaces?: 'Own' | 'All';
  /** `FIFO` (the default) or `Standard`. */
  readonly queue?: 'FIFO' | 'Standard';
  /** `Total` (the default), or `Object`: the order is kept of each object alone, so that many are handled at once. */
  readonly ordering?: 'Total' | 'Object';
  /** `snapshot` (the default here) begins with all that is selected, `now` with what changes. */
  readonly start?: 'now' | 'snapshot';
  /** `Object` (the default) or `Metadata`. */
  readonly payload?: 'Object' | 'Metadata';
  /** ARNs of IAM users, roles or accounts that may receive, beside what is granted in this account. */
  readonly consumers?: readonly string[];
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

  /** @throws {Error} the handler may run for longer than a message is hidden. */
  constructor(scope: Construct, id: string, props: SubscriptionGiven) {
    super(scope, id);
    const { provider, namespace = 'default', handler, batchSize = 10 } = props;
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
  const { resource, labelSelector = '', fieldSelector = '', namespaces = 'Own' } = props;
  return {
    resource: { group: resource.group ?? '', resource: resource.resource },
    namespaces,
    labelSelector,
    fieldSelector,
    queue: { type: props.queue ?? 'FIFO' },
    start: props.start ?? 'snapshot',
    payload: props.payload ?? 'Object',
    ...(props.ordering !== undefined && { ordering: props.ordering }),
    ...(props.consumers !== undefined && { consumers: props.consumers }),
    ...(props.suspend === true && { suspend: true }),
  };
}

/** What is immutable is in the name: where it changes, another Subscription takes the place of this one. */
function nameOf(scope: Construct, { resource, queue, start, ordering }: ReturnType<typeof specOf>): string {
  const name = Names.uniqueResourceName(scope, { maxLength: MAXIMUM_NAME, separator: '-' }).toLowerCase();
  const immutable = JSON.stringify([resource, queue, start, ...(ordering === 'Object' ? [ordering] : [])]);
  return `${name}-${createHash('sha256').update(immutable).digest('hex').slice(0, 8)}`;
}
