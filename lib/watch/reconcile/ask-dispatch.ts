import type { Collection, Table } from '../../store/index.ts';
import { type Cursor, hasNewMembers, raiseMembers, readCursor } from '../cursor.ts';
import type { Hints } from '../hints.ts';

export interface AskOptions {
  readonly table: Table;
  readonly hints: Hints;
  /** The collection that is subscribed to. */
  readonly collection: Collection;
  /** How many messages led to what is asked. */
  readonly hops: number;
}

/** Lets dispatch know of a state that was stored for it. */
export async function askDispatch(options: AskOptions): Promise<void> {
  await hint(options, await raiseMembers(options.table, options.collection));
}

/** The same where dispatch may know already, or is about to. */
export async function askDispatchAgain(options: AskOptions): Promise<void> {
  const cursor = await readCursor(options.table, options.collection);
  await (hasNewMembers(cursor) ? hint(options, cursor) : askDispatch(options));
}

/** One hint for all who ask until a turn has seen them: SQS drops the others. */
async function hint({ hints, collection, hops }: AskOptions, { seen }: Cursor): Promise<void> {
  await hints.offer({ collection, rv: 0, hops }, `members/${seen}`);
}
