import { mapBounded } from '../../platform/index.ts';
import { DUE_SHARDS, roundsKey } from '../../store/index.ts';
import { sendAll } from '../send.ts';
import type { DeriverOptions } from './deriver-options.ts';
import { dueMessage } from './due-message.ts';
import { enqueue } from './enqueue.ts';
import { isDue, lagOf, readDue, type WorkItem } from './work-items.ts';

/**
 * After a change of settings, all objects are derived this number of times. The last time comes after this delay in ms,
 * when no dispatcher uses the old settings any more.
 */
const ROUNDS = 2;
const LATER = 10 * 60_000;
/** The most messages that one minute sends for each shard of work items. */
const MOST = 2_000;

/** Sends a message for every due work item, once a minute. After a change of settings it first enqueues all objects. */
export async function sendDue(options: DeriverOptions): Promise<void> {
  await beginRound(options);
  const { clock, metrics, queues, queueUrl, table } = options;
  const now = clock.now();
  const minute = `minute/${Math.floor(now / 60_000)}`;
  const shards = Array.from({ length: DUE_SHARDS }, (_, shard) => shard);
  const lags = await mapBounded(shards, DUE_SHARDS, async (shard) => {
    const due: WorkItem[] = [];
    const settled: WorkItem[] = [];
    for await (const one of readDue(table, shard)) {
      if (isDue(one, now)) {
        due.push(one);
      } else if (one.time === undefined) {
        // The wanted version was seen before it was requested. The next message deletes the row.
        settled.push(one);
      }
      if (due.length + settled.length >= MOST) break;
    }
    await sendAll(
      queues,
      queueUrl,
      [...due, ...settled].map(({ subject }) => dueMessage(subject, minute)),
    );
    return due.map((one) => lagOf(one, now));
  });
  metrics?.record('DueLag', Math.max(0, ...lags.flat()));
}

/**
 * Enqueues all objects when the deployment first has its current settings, and once more when no dispatcher uses the
 * old settings any more.
 */
async function beginRound(options: DeriverOptions): Promise<void> {
  const { table, clock, derivation } = options;
  const { everybody, chosen } = derivation;
  const now = clock.now();
  const row = await table.get(roundsKey);
  const isSame = row?.chosen === chosen;
  const rounds = isSame ? Number(row?.rounds) : 0;
  const isWaiting = isSame && now - Number(row?.began) < LATER;
  if (rounds >= ROUNDS || isWaiting) return;
  await enqueue(options, [
    { subject: everybody, collection: everybody.collection, rv: Math.floor(now / 1_000) },
  ]);
  await table.put({ ...roundsKey, chosen, rounds: rounds + 1, began: now });
}
