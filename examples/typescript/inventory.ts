import { DeleteCommand, type DynamoDBDocumentClient, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';

/** The body of a message: a Kubernetes watch event. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: { readonly metadata: Metadata };
}

interface Metadata {
  readonly namespace?: string;
  readonly name?: string;
  readonly resourceVersion?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface Version {
  readonly edit: bigint;
  readonly rv: bigint;
}

const COMPLETE = { id: 'complete' };

/** Stores the set that a Subscription selects in a table with the partition key `id` (a string). */
export function openInventory(client: DynamoDBDocumentClient, TableName: string) {
  /** Applies an event. SQS may deliver an event twice, and an old event after a newer one. */
  async function take({ type, object }: WatchEvent, edit: bigint): Promise<void> {
    const { namespace = '', name, resourceVersion = '', annotations } = object.metadata;
    if (type === 'ERROR') {
      await forget(edit);
    } else if (type !== 'BOOKMARK') {
      // A deleted object leaves a row without `object`, so that an older event cannot restore it.
      const kept = type === 'DELETED' ? {} : { object: JSON.stringify(object) };
      await putNewer({ id: `${namespace}/${name}`, edit, rv: BigInt(resourceVersion), ...kept });
    } else if (annotations?.['k8s.io/initial-events-end']) {
      await client.send(new PutCommand({ TableName, Item: COMPLETE }));
    }
  }

  /** Writes a row if it is newer, by edit and then by resourceVersion. DynamoDB compares all digits of a bigint. */
  async function putNewer(Item: Version & { readonly id: string }): Promise<void> {
    const condition = 'attribute_not_exists(edit) OR edit < :edit OR (edit = :edit AND rv < :rv)';
    const values = { ':edit': Item.edit, ':rv': Item.rv };
    const put = { TableName, Item, ConditionExpression: condition, ExpressionAttributeValues: values };
    await client.send(new PutCommand(put)).catch((error) => {
      if (error.name !== 'ConditionalCheckFailedException') throw error;
    });
  }

  /** Deletes the rows of lower edits. A new snapshot follows. */
  async function forget(edit: bigint): Promise<void> {
    for await (const { Items = [] } of paginateScan({ client }, { TableName })) {
      const old = Items.filter((item) => BigInt(item.edit ?? 0) < edit);
      for (const { id } of old) await client.send(new DeleteCommand({ TableName, Key: { id } }));
    }
  }

  return { take };
}
