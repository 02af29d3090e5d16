import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Logger } from '../../lib/platform/index.ts';
import type { Definition } from './definition.ts';
import type { FunctionRuntime } from './function-runtime.ts';
import { pollQueue } from './queue-source.ts';
import { runSchedule } from './schedule.ts';
import { openCheckpoint } from './stream-checkpoint.ts';
import { pollStream } from './stream-source.ts';

export interface EventSourcesOptions {
  readonly definition: Definition;
  readonly runtime: FunctionRuntime;
  readonly clients: { readonly sqs: SQSClient; readonly streams: DynamoDBStreamsClient };
  readonly logger: Logger;
  readonly region: string;
  /** Where it is kept how far the stream was read; in memory only, where it is absent. */
  readonly dataDirectory: string | undefined;
  /** Milliseconds until a message that a function died over is received again; as deployed, where it is absent. */
  readonly retryDelay: number | undefined;
}

export interface EventSources {
  /** Nothing is polled any more once this resolves. */
  stop(): Promise<void>;
}

/** What invokes functions beside requests: queues, the table's stream and the schedule. */
export function startEventSources({
  definition,
  clients,
  dataDirectory,
  retryDelay,
  ...given
}: EventSourcesOptions): EventSources {
  const controller = new AbortController();
  const { signal } = controller;
  const shared = { ...given, signal, sqs: clients.sqs };
  const checkpoint = openCheckpoint(dataDirectory);
  const loops = [
    ...definition.queueSources.map((source) => pollQueue({ ...shared, source, retryDelay })),
    ...definition.streamSources.map((source) =>
      pollStream({ ...shared, source, streams: clients.streams, checkpoint }),
    ),
    ...definition.schedules.map((schedule) => runSchedule({ ...shared, schedule }, signal)),
  ];
  return {
    stop: async () => {
      controller.abort();
      await Promise.all(loops);
    },
  };
}
