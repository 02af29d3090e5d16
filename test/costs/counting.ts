import type { Queues } from '../../lib/coordination/index.ts';
import { measuredTable, noReadCost, type Table } from '../../lib/store/index.ts';

/** What something asks of the table and of the queues. */
export interface Used {
  /** Capacity units. */
  readonly reads: number;
  readonly writes: number;
  /** Requests to DynamoDB. */
  readonly requests: number;
  /** Requests to SQS, as it bills them. */
  readonly sends: number;
}

export interface Counter {
  table(table: Table): Table;
  queues(queues: Queues): Queues;
  /** Everything since the last look. */
  take(): Used;
}

/** SQS bills a batch as one request for every 64 KiB of it. */
const BILLED_BYTES = 64 * 1024;

/** Counts what goes through tables and queues, by what DynamoDB says each request consumed. */
export function createCounter(): Counter {
  const [reads, writes] = [noReadCost(), noReadCost()];
  let sends = 0;
  return {
    table(table) {
      const [reading, writing] = [measuredTable(table, reads), measuredTable(table, writes)];
      return { ...writing, get: reading.get, query: reading.query, batchGet: reading.batchGet };
    },
    queues: (queues) => ({
      ...queues,
      sendBatch(url, messages, signal) {
        const bytes = messages.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
        sends += Math.max(1, Math.ceil(bytes / BILLED_BYTES));
        return queues.sendBatch(url, messages, signal);
      },
    }),
    take() {
      const used = {
        reads: reads.units,
        writes: writes.units,
        requests: reads.requests + writes.requests,
        sends,
      };
      Object.assign(reads, noReadCost());
      Object.assign(writes, noReadCost());
      sends = 0;
      return used;
    },
  };
}
