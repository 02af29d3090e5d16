import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteMessageCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { awsEnvironment, exampleLanguages, feed } from '../../support/example-languages.ts';
import { podSpec } from '../../support/pod-spec.ts';
import type { Inbox } from '../../support/service/inbox.ts';
import { type Service, startService } from '../../support/service/service.ts';

const PODS = '/api/v1/namespaces/default/pods';

let service: Service;
let documents: DynamoDBDocumentClient;

beforeAll(async () => {
  service = await startService();
  documents = DynamoDBDocumentClient.from(new DynamoDBClient(service.winnow.dynamodbClientConfig), {
    unmarshallOptions: { wrapNumbers: true },
  });
});

afterAll(async () => {
  documents.destroy();
  await service.stop();
});

describe.each(exampleLanguages)('the Lambda handler in $language', ({ language, missing, lambda }) => {
  const test = missing === undefined ? it : it.skip;
  const because = missing === undefined ? '' : ` (skipped: ${missing})`;
  const name = language.toLowerCase();
  const TableName = `inventory-${name}`;
  const a = `default/${name}-a`;
  const b = `default/${name}-b`;

  const handle = async (...records: SqsRecord[]) => {
    const env = { ...awsEnvironment(service), TABLE: TableName };
    const { batchItemFailures } = JSON.parse(await feed(lambda, env, JSON.stringify({ Records: records })));
    return batchItemFailures.map(({ itemIdentifier }: { itemIdentifier: string }) => itemIdentifier);
  };

  /** The rows of the table: id, version, and whether the row holds an object. */
  const rows = async () => {
    const { Items = [] } = await documents.send(new ScanCommand({ TableName }));
    return Items.map(
      ({ id, rv = '', object }) => `${id} ${rv.value ?? rv} ${object === undefined ? 'no' : 'an'} object`,
    ).sort();
  };

  test(`the handler keeps the set across repeated and late events, an edit and an ERROR${because}`, async () => {
    await createTable(TableName);
    const { http } = service;
    const relabel = async (pod: string, app: string) =>
      (await http.merge(`${PODS}/${name}-${pod}`, { metadata: { labels: { app } } })).body.metadata
        .resourceVersion;
    for (const pod of ['a', 'b']) {
      await http.post(PODS, { metadata: { name: `${name}-${pod}` }, spec: podSpec() });
    }
    const first = await relabel('a', name);
    const inbox = await service.subscribe(name, {
      resource: { group: '', resource: 'pods' },
      labelSelector: `app=${name}`,
      start: 'snapshot',
    });

    const snapshot = await receive(inbox, 2);
    expect(await handle(...snapshot)).toEqual([]);
    expect(await rows()).toEqual(['complete  no object', `${a} ${first} an object`]);

    const entered = await relabel('b', name);
    const left = await relabel('a', `${name}-before`);
    const live = await receive(inbox, 2);
    const known = ['complete  no object', `${a} ${left} no object`, `${b} ${entered} an object`];
    expect(await handle(...live)).toEqual([]);
    expect(await rows()).toEqual(known);
    // This redelivers messages, with older events after newer ones.
    expect(await handle(...live, ...snapshot)).toEqual([]);
    expect(await rows()).toEqual(known);

    await http.merge(inbox.path, { spec: { labelSelector: `app in (${name},${name}-before)` } });
    const edited = await receive(inbox, 2);
    expect(await handle(...edited, ...live)).toEqual([]);
    const both = ['complete  no object', `${a} ${left} an object`, `${b} ${entered} an object`];
    expect(await rows()).toEqual(both);

    const of = (edit: string) => ({ messageAttributes: { edit: { stringValue: edit, dataType: 'String' } } });
    const body = JSON.stringify({ type: 'ERROR', object: { metadata: {} } });
    expect(await handle({ messageId: 'error', body, ...of('2') })).toEqual([]);
    expect(await rows()).toEqual([`${a} ${left} an object`]);
    expect(await handle({ messageId: 'error', body, ...of('3') })).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test(`the handler returns the failed message and all after it, and applies none of them${because}`, async () => {
    const before = await rows();
    const event = (pod: string, resourceVersion: string) =>
      JSON.stringify({ type: 'ADDED', object: { metadata: { name: pod, resourceVersion } } });
    const records = [
      { messageId: '1', body: event('fine', '9007199254740993') },
      { messageId: '2', body: 'no JSON' },
      { messageId: '3', body: event('behind', '8') },
      { messageId: '4', body: event('fine', '9007199254740994') },
    ].map((record) => ({ ...record, messageAttributes: {} }));
    expect(await handle(...records)).toEqual(['2', '3', '4']);
    expect(await rows()).toEqual([...before, '/fine 9007199254740993 an object'].sort());
  });
});

interface SqsRecord {
  readonly messageId: string;
  readonly body: string;
  readonly messageAttributes: Readonly<Record<string, { readonly stringValue: string; dataType: string }>>;
}

function createTable(TableName: string) {
  return documents.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  );
}

/** Receives and deletes `count` messages of the queue. Returns them in the form of a Lambda event. */
async function receive({ queueUrl: QueueUrl, sqs }: Inbox, count: number): Promise<SqsRecord[]> {
  const messages: Message[] = [];
  await eventually(`${count} messages`, async () => {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageAttributeNames: ['All'] }),
    );
    for (const { ReceiptHandle } of Messages) {
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
    return messages.push(...Messages) >= count;
  });
  return messages.map(({ MessageId = '', Body = '', MessageAttributes = {} }) => ({
    messageId: MessageId,
    body: Body,
    messageAttributes: Object.fromEntries(
      Object.entries(MessageAttributes).map(([name, { StringValue = '' }]) => [
        name,
        { stringValue: StringValue, dataType: 'String' },
      ]),
    ),
  }));
}
