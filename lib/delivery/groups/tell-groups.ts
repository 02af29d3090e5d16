import type { Cursor, Group, Hints } from '../../coordination/index.ts';
import type { Table } from '../../store/index.ts';
import { isSplit, readGroups } from './read-groups.ts';

export interface TellOptions extends Group {
  readonly table: Table;
  readonly hints: Hints;
  /** How many messages led to this one. */
  readonly hops: number;
  /** Of the group that tells. */
  readonly cursor: Cursor;
}

/**
 * Writers know nothing of groups and hint at the first one; that tells the others, before its cursor moves to `rv`. The
 * groups are read after the head that `rv` came from, so whoever is not among them yet will read it.
 */
export async function tellGroups(options: TellOptions, rv: number): Promise<void> {
  const { table, hints, collection, group = 0, cursor, hops } = options;
  if (group !== 0 || !isSplit(cursor)) return;
  const others = (await readGroups(table, collection)).filter((one) => one.group !== 0 && one.position < rv);
  await hints.offer(others.map((one) => ({ collection, group: one.group, rv, hops })));
}
