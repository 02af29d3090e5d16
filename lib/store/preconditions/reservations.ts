import { TIMING } from '../../platform/index.ts';
import { expiresAt } from '../journal.ts';
import { reservationKey } from '../keys.ts';
import type { ObjectState } from '../object.ts';
import type { Condition, Table, TransactItem } from '../table.ts';

/** What a write does to the rows that say what its object has for itself alone. */
export interface ReservationPlan {
  /** What the object has after the write. */
  readonly kept: readonly string[];
  readonly taken: readonly string[];
  readonly given: readonly string[];
}

/**
 * What an object is to have; undefined: what it has. The object's own row holds the whole list, so every deletion
 * gives all values back.
 */
export function planReservations(
  before: ObjectState | undefined,
  wanted: readonly string[] | undefined,
): ReservationPlan {
  const had = before?.reserved ?? [];
  const kept = [...new Set(wanted ?? had)];
  return {
    kept,
    taken: kept.filter((name) => !had.includes(name)),
    given: had.filter((name) => !kept.includes(name)),
  };
}

/** Nobody has it, and nobody gave it back above `rv`: so no two have it at one resourceVersion either. */
const isFree = (rv: number): Condition => [
  { missing: 'uid' },
  { any: [{ missing: 'rv' }, { attribute: 'rv', is: '<', value: rv }] },
];

/**
 * The rows of a plan, as parts of the transaction that writes the object: nothing is taken that another one has. What
 * is given back stays for a while with the resourceVersion of that, as a deleted object's tombstone does.
 */
export function reservationItems(
  { taken, given }: ReservationPlan,
  { uid, rv, time }: { readonly uid: string; readonly rv: number; readonly time: number },
): TransactItem[] {
  const ttl = expiresAt(time, TIMING.tombstone);
  return [
    ...taken.map((name) => ({ put: { ...reservationKey(name), uid }, condition: isFree(rv) })),
    ...given.map((name) => ({ put: { ...reservationKey(name), rv, ttl } })),
  ];
}

/** Which of these are taken, and by the object of which uid; read consistently. */
export async function readHolders(
  table: Table,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const keys = new Map(names.map((name) => [reservationKey(name).pk, name]));
  const rows =
    names.length === 0 ? [] : await table.batchGet([...keys.keys()].map((pk) => ({ pk, sk: RESERVED })));
  return new Map(
    rows.flatMap(({ pk, uid }) => (uid === undefined ? [] : [[keys.get(pk) ?? pk, String(uid)] as const])),
  );
}

const RESERVED = reservationKey('').sk;
