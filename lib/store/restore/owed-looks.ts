import { nameKey, objectKey } from '../keys.ts';
import { type AskedLook, lookRow, ownerReferencesOf, sweeps } from '../owners/index.ts';
import type { Row, Table } from '../table.ts';
import type { StoredObject } from './expected-rows.ts';
import type { KindFacts } from './kind-facts.ts';

interface Looking extends Pick<KindFacts, 'ownerAt' | 'expiryOf'> {
  readonly table: Table;
  /** The due time of the tasks, in ms since the epoch. */
  readonly began: number;
}

/** The GC tasks that an object needs and that have no row. Whether they were already done is unknown. */
export async function owedLooks(
  { collection, state }: StoredObject,
  { table, began, ownerAt, expiryOf }: Looking,
): Promise<readonly Row[]> {
  const { uid, rv, body } = state;
  const expires = expiryOf(collection, body);
  const asked: AskedLook[] = [
    ...(sweeps(body) === undefined ? [] : [{ what: 'dependents', due: began } as const]),
    ...((await lacksOwner()) ? [{ what: 'owners', due: began } as const] : []),
    ...(expires === undefined ? [] : [{ what: 'expiry', due: expires } as const]),
  ];
  const looks = asked.map((look) => lookRow(look, { collection, rv, name: nameKey(state.name), uid }));
  const there = await table.batchGet(looks.map(({ pk, sk }) => ({ pk, sk })));
  return looks.filter(({ pk, sk }) => !there.some((row) => row.pk === pk && row.sk === sk));

  async function lacksOwner(): Promise<boolean> {
    const tracked = new Set(state.trackedOwners);
    const owners = ownerReferencesOf(body).filter((one) => tracked.has(one.uid));
    for (const owner of owners) {
      const at = ownerAt(owner, state.name.namespace);
      if (at === undefined) continue;
      const row = await table.get(objectKey(at.collection, at.name));
      if (row?.uid !== owner.uid) return true;
    }
    return false;
  }
}
