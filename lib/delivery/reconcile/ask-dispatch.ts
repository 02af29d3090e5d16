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
  /** The subscription, and the collection that it is to. */
  readonly uid: string;
  readonly collection: Collection;
  /** How many messages led to what is asked. */
  readonly hops: number;
}

/** Lets dispatch know of a state that was stored for it. */
export async function askDispatch(options: AskOptions): Promise<void> {
  await hint(options, await bumpSubscriptions(options, options));
}

/** The same where dispatch may know already, or is about to. */
export async function askDispatchAgain(options: AskOptions): Promise<void> {
  const cursor = shardOfUid(await readShards(options.table, options.collection), options.uid);
  await (hasNewMembers(cursor) ? hint(options, cursor) : askDispatch(options));
}

/** One hint for all who ask until a turn has seen them: SQS drops the others. */
async function hint({ hints, hops }: AskOptions, { collection, group, seen }: ShardCursor): Promise<void> {
  await hints.offer({ collection, group, rv: 0, hops }, `members/${seen}`);
}
