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
  /** The folder of the stream's checkpoint; undefined: in memory only. */
  readonly dataDirectory: string | undefined;
  /** The delay in ms before a message whose function crashed is received again; default: as deployed. */
  readonly retryDelay: number | undefined;
}

export interface EventSources {
  /** Stops polling. It resolves when the last poll has ended. */
  stop(): Promise<void>;
}

/** Starts the event sources that invoke functions: queues, the table's stream and the schedule. */
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
