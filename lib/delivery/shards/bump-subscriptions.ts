import { type DispatchShard, parseCursor } from '../../coordination/index.ts';
import type { Collection } from '../../json/index.ts';
import type { Clock } from '../../platform/index.ts';
import { bucketOf, type Conditional, cursorKey, type Row, type Table } from '../../store/index.ts';
import { readShards, type ShardCursor, shardOfUid } from './read-groups.ts';

export interface RaiseOptions {
  readonly table: Table;
  readonly clock: Clock;
}

/** Ms between two looks at a row that a split is about to change, and how many: longer than a transaction may take. */
const PAUSE = 100;
const TRIES = 30;

/**
 * Says that the state of a subscription was changed that dispatch goes by. Answers its group's cursor then: as one row
 * has it all, either the turn under way finds `members` raised when it stores what it has seen, or `seen` is already
 * what it stored.
 *
 * The group is looked for once the state is stored: one that is made later reads the states later still.
 */
export async function bumpSubscriptions(
  { table, clock }: RaiseOptions,
  { collection, uid }: { readonly collection: Collection; readonly uid: string },
): Promise<ShardCursor> {
  let group: Required<DispatchShard> | undefined;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { outcome, row } = await raise(table, group ?? { collection });
    const raised =
      outcome === 'done' ? { ...parseCursor(row), collection, group: group?.group ?? 0 } : undefined;
    if (raised !== undefined && bucketOf(uid) < raised.until) return raised;
    if (outcome === 'busy') {
      await clock.sleep(PAUSE);
    } else {
      group = shardOfUid(await readShards(table, collection), uid);
    }
  }
  throw new Error(`the groups of ${collection} change all the time`);
}

/** `group` undefined: group 0, if there is no other. */
function raise(table: Table, { collection, group }: DispatchShard): Promise<Conditional & { row?: Row }> {
  const key = cursorKey(collection, group);
  return table.update(key, {
    add: { members: 1 },
    condition: group === undefined ? [{ missing: 'until' }] : [{ attribute: 'sk', is: '=', value: key.sk }],
  });
}
