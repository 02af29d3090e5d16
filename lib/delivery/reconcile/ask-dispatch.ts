import type { Hints } from '../../coordination/index.ts';
import { hasNewMembers } from '../../coordination/index.ts';
import type { Collection } from '../../json/index.ts';
import type { Clock } from '../../platform/index.ts';
import type { Table } from '../../store/index.ts';
import { bumpSubscriptions, readShards, type ShardCursor, shardOfUid } from '../shards/index.ts';

export interface AskOptions {
  readonly table: Table;
  readonly hints: Hints;
  readonly clock: Clock;
  /** The subscription, and the collection that it selects from. */
  readonly uid: string;
  readonly collection: Collection;
  /** How many messages led to this hint. */
  readonly hops: number;
}

/** Sends dispatch a hint after a state was stored for it. */
export async function askDispatch(options: AskOptions): Promise<void> {
  await hint(options, await bumpSubscriptions(options, options));
}

/** The same as {@link askDispatch}, if dispatch may have seen the state already or has a hint pending. */
export async function askDispatchAgain(options: AskOptions): Promise<void> {
  const cursor = shardOfUid(await readShards(options.table, options.collection), options.uid);
  await (hasNewMembers(cursor) ? hint(options, cursor) : askDispatch(options));
}

/** Sends one hint for all requests until a round has seen them: SQS drops the duplicates. */
async function hint({ hints, hops }: AskOptions, { collection, group, seen }: ShardCursor): Promise<void> {
  await hints.offer({ collection, group, rv: 0, hops }, `members/${seen}`);
}
