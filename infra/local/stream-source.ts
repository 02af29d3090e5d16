import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { type Logger, systemClock } from '../../lib/platform/index.ts';
import type { StreamSource } from './definition.ts';
import { passesFilters } from './event-filter.ts';
import type { FunctionRuntime } from './function-runtime.ts';
import type { Checkpoint } from './stream-checkpoint.ts';

export interface StreamSourceOptions {
  readonly source: StreamSource;
  readonly streams: DynamoDBStreamsClient;
  readonly sqs: SQSClient;
  readonly runtime: Pick<FunctionRuntime, 'invoke'>;
  readonly checkpoint: Checkpoint;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

const PAUSE = { idle: 250, afterError: 1_000, retry: 250, retryAtMost: 10_000 };

/**
 * Invokes a function with the records of a table's stream, like Lambda's event source mapping, until the signal aborts.
 * It reads shards one after the other; the embedded database has one shard per table.
 */
export async function pollStream(options: StreamSourceOptions): Promise<void> {
  const { signal, logger, source } = options;
  const iterators = new Map<string, string | undefined>();
  while (!signal.aborted) {
    try {
      if (iterators.size === 0) await openShards(iterators, options);
      const counts: number[] = [];
      for (const shard of iterators.keys()) counts.push(await readShard(shard, iterators, options));
      if (counts.every((count) => count < source.batchSize)) await systemClock.sleep(PAUSE.idle, signal);
    } catch (error) {
      if (signal.aborted) return;
      logger.error('cannot read a stream', { stream: source.streamArn, error });
      // An iterator may have expired: continue after the last handled record.
      iterators.clear();
      await systemClock.sleep(PAUSE.afterError, signal);
    }
  }
}

async function openShards(
  iterators: Map<string, string | undefined>,
  { source, streams, checkpoint }: StreamSourceOptions,
): Promise<void> {
  const { streamArn: StreamArn, startingPosition } = source;
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  for (const { ShardId = '' } of StreamDescription?.Shards ?? []) {
    const SequenceNumber = checkpoint.get(ShardId);
    const position = SequenceNumber
      ? ({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber } as const)
      : ({ ShardIteratorType: startingPosition } as const);
    const { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({ StreamArn, ShardId, ...position }),
    );
    iterators.set(ShardId, ShardIterator);
  }
}

/** Reads and delivers records of one shard. Returns how many it read. */
async function readShard(
  shard: string,
  iterators: Map<string, string | undefined>,
  options: StreamSourceOptions,
): Promise<number> {
  const { source, streams, checkpoint } = options;
  const ShardIterator = iterators.get(shard);
  if (!ShardIterator) return 0;
  const command = new GetRecordsCommand({ ShardIterator, Limit: source.batchSize });
  const { Records = [], NextShardIterator } = await streams.send(command, { abortSignal: options.signal });
  const passing = Records.map((record) => toEventRecord(record, source.streamArn));
  await deliver(
    passing.filter((record) => passesFilters(record, source.filters)),
    options,
  );
  const last = Records.at(-1)?.dynamodb?.SequenceNumber;
  if (options.signal.aborted) return 0;
  if (last) checkpoint.set(shard, last);
  iterators.set(shard, NextShardIterator);
  return Records.length;
}

type EventRecord = ReturnType<typeof toEventRecord>;

/** Converts a record into the form of the event, in which times are in seconds. */
function toEventRecord(record: StreamRecord, eventSourceARN: string) {
  const { ApproximateCreationDateTime, ...dynamodb } = record.dynamodb ?? {};
  return {
    ...record,
    eventSourceARN,
    dynamodb: {
      ...dynamodb,
      ApproximateCreationDateTime: (ApproximateCreationDateTime?.getTime() ?? 0) / 1_000,
    },
  };
}

/** Delivers a batch. Resolves when it was handled or abandoned, or when the signal aborts. */
async function deliver(records: readonly EventRecord[], options: StreamSourceOptions): Promise<void> {
  const { source, runtime, logger, signal } = options;
  if (records.length === 0) return;
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      await runtime.invoke(source.functionName, { Records: records });
      return;
    } catch (error) {
      if (signal.aborted) return;
      logger.error('a function failed', { function: source.functionName, attempt, error });
    }
    const half = Math.ceil(records.length / 2);
    if (source.bisect && half < records.length) {
      await deliver(records.slice(0, half), options);
      await deliver(records.slice(half), options);
      return;
    }
    if (isExhausted(records, attempt, source)) return giveUp(records, options);
    await systemClock.sleep(Math.min(PAUSE.retry * 2 ** attempt, PAUSE.retryAtMost), signal);
  }
}

function isExhausted(records: readonly EventRecord[], attempt: number, source: StreamSource): boolean {
  const age = Date.now() - (records[0]?.dynamodb.ApproximateCreationDateTime ?? 0) * 1_000;
  const tooOld = source.maximumAge >= 0 && age > source.maximumAge;
  return tooOld || (source.retries >= 0 && attempt >= source.retries);
}

async function giveUp(records: readonly EventRecord[], options: StreamSourceOptions): Promise<void> {
  const { source, sqs, logger } = options;
  logger.error('abandoned stream records after all retries', {
    function: source.functionName,
    count: records.length,
  });
  if (!source.failureQueueUrl) return;
  const DDBStreamBatchInfo = {
    streamArn: source.streamArn,
    batchSize: records.length,
    startSequenceNumber: records[0]?.dynamodb.SequenceNumber,
    endSequenceNumber: records.at(-1)?.dynamodb.SequenceNumber,
  };
  const MessageBody = JSON.stringify({ functionName: source.functionName, DDBStreamBatchInfo });
  await sqs.send(new SendMessageCommand({ QueueUrl: source.failureQueueUrl, MessageBody }));
}
