import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../connection/index.ts';
import type { Target } from './find-target.ts';
import { type HistoryItem, type HistoryRequest, readHistory } from './read-history.ts';

export interface FollowRequest {
  readonly connection: Connection;
  readonly target: Target;
  readonly request: HistoryRequest;
  readonly signal: AbortSignal;
}

/** How long a change waits for further ones, and how long a failed watch pauses, in ms. */
const GATHERED = 200;
const PAUSE = 2_000;

/**
 * Yields the last changes, oldest first, and then new ones until the signal is aborted. A watch says that there are new
 * changes; the history says what they are.
 *
 * @throws {Fault} the first read fails.
 */
export async function* follow({
  connection,
  target,
  request,
  signal,
}: FollowRequest): AsyncGenerator<HistoryItem> {
  let last = 0n;
  const latest = async (most: number): Promise<HistoryItem[]> => {
    const found: HistoryItem[] = [];
    for await (const item of readHistory(connection, target, request)) {
      if (BigInt(item.resourceVersion) <= last || found.length >= most) break;
      found.unshift(item);
    }
    last = BigInt(found.at(-1)?.resourceVersion ?? last);
    return found;
  };
  yield* await latest(request.limit);
  while (!signal.aborted) {
    try {
      for await (const line of connection.lines(watchOf(target, request, last), signal)) {
        if (!/^\{"type":"(?:ADDED|MODIFIED|DELETED)"/.test(line)) continue;
        await sleep(GATHERED, undefined, { signal });
        yield* await latest(Number.POSITIVE_INFINITY);
      }
    } catch (error) {
      if (signal.aborted) throw error;
      await sleep(PAUSE, undefined, { signal });
      yield* await latest(Number.POSITIVE_INFINITY);
    }
  }
}

/** The path of a watch of the object or the set, from a resourceVersion on. */
function watchOf({ object, collection }: Target, { selector }: HistoryRequest, from: bigint): string {
  const query = new URLSearchParams({ watch: 'true' });
  if (object !== undefined) query.set('fieldSelector', `metadata.name=${object.name}`);
  if (selector !== undefined) query.set('labelSelector', selector);
  if (from > 0n) query.set('resourceVersion', String(from));
  return `${collection.path}?${query}`;
}
