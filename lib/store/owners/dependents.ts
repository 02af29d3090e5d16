import type { Collection, ObjectName } from '../../json/index.ts';
import { dependentsPartition, nameAfter, parseDependentKey } from '../keys.ts';
import type { Table } from '../table.ts';

/** An object that names an owner. */
export interface Dependent {
  readonly collection: Collection;
  readonly name: ObjectName;
  /** Whether a foreground deletion of the owner waits for this object. */
  readonly blocks: boolean;
}

const PAGE = 200;

/** Whether any object names this owner, read consistently. */
export async function hasDependents(table: Table, uid: string): Promise<boolean> {
  const { rows } = await table.query({ partition: dependentsPartition(uid), from: '!', to: '~', limit: 1 });
  return rows.length > 0;
}

/** All objects that name this owner, page by page. Each page is current when it is read. */
export async function* dependentsOf(table: Table, uid: string): AsyncGenerator<Dependent[], void> {
  const request = { partition: dependentsPartition(uid), to: '~', limit: PAGE };
  for (let from = '!'; ; ) {
    const { rows, more } = await table.query({ ...request, from });
    yield rows.map((row) => ({ ...parseDependentKey(row), blocks: row.blocks === true }));
    const last = rows.at(-1)?.sk;
    if (!more || last === undefined) return;
    from = nameAfter(last);
  }
}
