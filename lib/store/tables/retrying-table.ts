import type { Clock, Metrics, Random } from '../../platform/index.ts';
import { OutOfTimeError, ThrottledError, UnavailableError } from '../errors.ts';
import { jitteredSleep } from '../jittered-sleep.ts';
import { type Consumed, isMetered, type Table, type Update } from '../table.ts';

export interface PatientTableOptions {
  readonly table: Table;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics?: Metrics | undefined;
  /** The deadline of calls without their own signal. Without it, the number of tries limits a call. */
  readonly deadline?: AbortSignal | undefined;
}

/** Pauses of 50, 100, 200 … 2,000 ms, each shortened at random to no less than half: five seconds in total. */
const TRIES = 9;
const FIRST_PAUSE = 50;
const LAST_PAUSE = 2_000;

/**
 * The table of one request. A call that the table throttles or does not answer is retried with growing pauses. All
 * calls end at the request's deadline.
 *
 * - A conditional call may fail its condition because of its own first try. Callers must then treat the call as done.
 * - An ADD without an answer is not retried: it would add twice.
 * - A transaction is retried if it was cancelled by throttling only.
 *
 * @throws {ThrottledError} {@link UnavailableError} those of the last try. {@link OutOfTimeError} the time ended
 * before there was an answer.
 */
export function retryingTable(options: PatientTableOptions): Table {
  const { table, clock, random, metrics, deadline } = options;
  const pauseAfter = (tries: number, signal: AbortSignal | undefined) => {
    metrics?.record('Retries', 1);
    return jitteredSleep(clock, random.fraction(), Math.min(FIRST_PAUSE * 2 ** tries, LAST_PAUSE), signal);
  };

  async function patiently<Answer>(
    attempt: (signal: AbortSignal | undefined) => Promise<Answer>,
    signal = deadline,
    isWorthAnother = isPassing,
  ): Promise<Answer> {
    refuseLate(signal);
    for (let tries = 0; ; tries += 1) {
      try {
        return await attempt(signal);
      } catch (error) {
        if (isThrottled(error)) metrics?.record('Throttles', 1);
        if (!isWorthAnother(error) || tries === TRIES - 1) throw error;
        await pauseAfter(tries, signal);
        // The throttling error gives the cause; the abort error would only say that the time is over.
        if (signal?.aborted && isThrottled(error)) throw error;
        refuseLate(signal, error);
      }
    }
  }

  return {
    ...(deadline === undefined ? {} : { deadline }),
    ...(table.rowSchema && { rowSchema: table.rowSchema }),
    ...(isMetered(table) && {
      metered: (report: (consumed: Consumed) => void) =>
        retryingTable({ ...options, table: table.metered(report) }),
    }),
    get: (key, signal, reading) => patiently((own) => table.get(key, own, reading), signal),
    query: (request, signal) => patiently((own) => table.query(request, own), signal),
    batchGet: (keys, signal, reading) => patiently((own) => table.batchGet(keys, own, reading), signal),
    put: (row, condition, signal) => patiently((own) => table.put(row, condition, own), signal),
    update: (key, change, signal) =>
      patiently(
        (own) => table.update(key, change, own),
        signal,
        isRepeatable(change) ? isPassing : isThrottled,
      ),
    delete: (key, condition, signal) => patiently((own) => table.delete(key, condition, own), signal),
    async transact(items, signal) {
      for (let tries = 0; ; tries += 1) {
        const answer = await table.transact(items, signal);
        if (answer.throttled === true) metrics?.record('Throttles', 1);
        if (answer.outcome === 'unknown' && tries > 0) return { ...answer, throttled: true };
        if (answer.outcome !== 'cancelled' || answer.throttled !== true || tries === TRIES - 1) return answer;
        await pauseAfter(tries, signal);
        if (signal.aborted) return answer;
      }
    },
  };
}

function refuseLate(signal: AbortSignal | undefined, cause?: unknown): void {
  if (!signal?.aborted) return;
  throw new OutOfTimeError('the request ran out of time before the table answered', { cause });
}

function isPassing(error: unknown): boolean {
  return isThrottled(error) || error instanceof UnavailableError;
}

function isThrottled(error: unknown): boolean {
  return error instanceof ThrottledError;
}

function isRepeatable({ add }: Update): boolean {
  return add === undefined;
}
