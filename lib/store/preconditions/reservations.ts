import { TIMING } from '../../platform/index.ts';
import { expiresAt } from '../journal.ts';
import { reservationKey } from '../keys.ts';
import type { ObjectState } from '../object.ts';
import type { Condition, Table, TransactItem } from '../table.ts';

/** The changes that a write makes to its object's reservations. */
export interface ReservationPlan {
  /** The object's reservations after the write. */
  readonly kept: readonly string[];
  readonly taken: readonly string[];
  readonly given: readonly string[];
}

/**
 * Plans the reservations of a write. `wanted` is the complete list; undefined leaves it unchanged. The object's own
 * row holds the whole list, so every deletion releases all values.
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

/**
 * No object holds the value, and none released it at or above `rv`. So no two objects hold it at one resourceVersion.
 */
const isFree = (rv: number): Condition => [
  { missing: 'uid' },
  { any: [{ missing: 'rv' }, { attribute: 'rv', is: '<', value: rv }] },
];

/**
 * The rows of a plan, as items of the transaction that writes the object. It fails if another object holds one of the
 * values. The row of a released value stays for a while with the resourceVersion of the release, as a tombstone does.
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

/** The reservations among these that exist, and the uid of the object that holds each; read consistently. */
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
