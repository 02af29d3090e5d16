import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { JsonObject } from '../../../lib/json/index.ts';
import { type RecordedRequest, waitsOf } from './request-recorder.ts';

/** A call of the SDK that is ready to be made. */
type Call = () => Promise<unknown>;

export interface Replay {
  readonly calls: readonly Call[];
  /** For each call the earlier ones that it waits for. */
  readonly waits: readonly (readonly number[])[];
}

const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));
// Queue URLs name their own host, which is not where the emulator listens.
const queues = new SQSClient({ useQueueUrlAsEndpoint: false });

/**
 * The same calls, to be made bare. `rename` gives the bodies other names, so that a write may be repeated as it was.
 */
export function replayOf(requests: readonly RecordedRequest[], rename: (body: string) => string): Replay {
  const calls = requests.map(({ target, body }) =>
    callOf(target, JSON.parse(rename(body), withBytes) as JsonObject),
  );
  return { calls, waits: waitsOf(requests) };
}

/** Makes the calls in the order, and as many side by side, as they were recorded. */
export async function replay({ calls, waits }: Replay): Promise<void> {
  const made: Promise<unknown>[] = [];
  for (const [index, call] of calls.entries()) {
    const earlier = (waits[index] ?? []).map((at) => made[at]);
    made.push(earlier.length === 0 ? call() : Promise.all(earlier).then(call));
  }
  await Promise.all(made);
}

function callOf(target: string, body: JsonObject): Call {
  const operation = target.split('.').at(-1) ?? '';
  if (operation === 'SendMessageBatch') return () => queues.send(new SendMessageBatchCommand(body as never));
  const input = documentOf(body) as never;
  switch (operation) {
    case 'GetItem':
      return () => documents.send(new GetCommand(input));
    case 'Query':
      return () => documents.send(new QueryCommand(input));
    case 'BatchGetItem':
      return () => documents.send(new BatchGetCommand(input));
    case 'PutItem':
      return () => documents.send(new PutCommand(input));
    case 'UpdateItem':
      return () => documents.send(new UpdateCommand(input));
    case 'TransactWriteItems':
      return () => documents.send(new TransactWriteCommand(input));
    default:
      throw new Error(`a handler asked for ${target}, which is not replayed`);
  }
}

/** What a document client takes for the input of an operation as it travels. A token would name the first one. */
function documentOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(documentOf);
  if (typeof value !== 'object' || value === null) return value;
  const { ClientRequestToken: _token, ...fields } = value as Record<string, unknown>;
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldOf(name, field)]));
}

function fieldOf(name: string, value: unknown): unknown {
  switch (name) {
    case 'Key':
    case 'Item':
    case 'ExpressionAttributeValues':
      return unmarshall(value as Parameters<typeof unmarshall>[0]);
    case 'Keys':
      return (value as Parameters<typeof unmarshall>[0][]).map((key) => unmarshall(key));
    default:
      return documentOf(value);
  }
}

/** Bytes travel in base64. */
function withBytes(name: string, value: unknown): unknown {
  return name === 'B' && typeof value === 'string' ? Buffer.from(value, 'base64') : value;
}
