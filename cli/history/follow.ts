import { setTimeout as sleep } from 'node:timers/promises';
import { valueAt } from '../../lib/json/index.ts';
import type { Connection } from '../connection/index.ts';
import type { Target } from './find-target.ts';
import { type HistoryItem, type HistoryRequest, readHistory } from './read-history.ts';

export interface FollowRequest {
  readonly connection: Connection;
  readonly target: Target;
  readonly request: HistoryRequest;
  readonly signal: AbortSignal;
}

/** The pause after a change, in ms, so that one read gets further changes too; and the pause after a failure. */
const GATHERED = 300;
const PAUSE = 2_000;

/**
 * Yields the last changes, oldest first, and then new ones until the signal is aborted. A watch says that there are new
 * changes; the history says what they are.
 *
 * @throws {Fault} the first read fails.
 */
export async function* follow(options: FollowRequest): AsyncGenerator<HistoryItem> {
  const { signal, request } = options;
  let position = await headOf(options);
  yield* await changesAfter(options, 0n, request.limit);
  while (!signal.aborted) {
    await nextChange(options, position).catch(() => sleep(PAUSE, undefined, { signal }));
    try {
      const head = await headOf(options);
      const changes = await changesAfter(options, position, Number.POSITIVE_INFINITY);
      yield* changes;
      // The history may already hold changes after the head that was read.
      const last = BigInt(changes.at(-1)?.resourceVersion ?? 0);
      position = last > head ? last : head;
    } catch (error) {
      if (signal.aborted) throw error;
      await sleep(PAUSE, undefined, { signal });
    }
  }
}

/** The resourceVersion of the collection. */
async function headOf({ connection, target: { collection } }: FollowRequest): Promise<bigint> {
  const list = await connection.askInput('GET', `${collection.path}?limit=1`);
  return BigInt(String(valueAt(list, 'metadata.resourceVersion')));
}

/** The changes after a resourceVersion, oldest first; the newest of them if there are more than `most`. */
async function changesAfter(
  { connection, target, request }: FollowRequest,
  after: bigint,
  most: number,
): Promise<HistoryItem[]> {
  const found: HistoryItem[] = [];
  for await (const item of readHistory(connection, target, request)) {
    if (BigInt(item.resourceVersion) <= after || found.length >= most) break;
    found.unshift(item);
  }
  return found;
}

/** Waits until shortly after a change of the object or the set. A watch ends by itself after some minutes. */
async function nextChange(options: FollowRequest, position: bigint): Promise<void> {
  const { connection, signal } = options;
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  try {
    for await (const line of connection.lines(watchOf(options, position), either)) {
      if (!/^\{"type":"(?:ADDED|MODIFIED|DELETED|ERROR)"/.test(line)) continue;
      await sleep(GATHERED, undefined, { signal });
      return;
    }
  } finally {
    ended.abort();
  }
}

function watchOf(
  { target: { object, collection }, request: { selector } }: FollowRequest,
  from: bigint,
): string {
  const query = new URLSearchParams({ watch: 'true', resourceVersion: String(from) });
  if (object !== undefined) query.set('fieldSelector', `metadata.name=${object.name}`);
  if (selector !== undefined) query.set('labelSelector', selector);
  return `${collection.path}?${query}`;
}
