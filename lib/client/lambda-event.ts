import type { Delivery } from './delivery.ts';
import { queueName } from './queue.ts';

/** The event that Lambda passes to a function with an SQS event source: `SQSEvent` of `@types/aws-lambda`. */
export interface SqsEvent {
  readonly Records: readonly SqsRecord[];
}

export interface SqsRecord {
  readonly messageId: string;
  readonly body: string;
  readonly eventSourceARN?: string;
  readonly messageAttributes?: Readonly<Record<string, { readonly stringValue?: string | undefined }>>;
}

/** The messages that return to the queue. The event source needs `FunctionResponseTypes: [ReportBatchItemFailures]`. */
export interface SqsBatchResponse {
  batchItemFailures: { itemIdentifier: string }[];
}

export function deliveryOf({ messageId, body, eventSourceARN, messageAttributes }: SqsRecord): Delivery {
  const attributes = Object.entries(messageAttributes ?? {}).map(([name, { stringValue = '' }]) => [
    name,
    stringValue,
  ]);
  return {
    id: messageId,
    body,
    queue: queueName(eventSourceARN ?? ''),
    attributes: Object.fromEntries(attributes),
  };
}
