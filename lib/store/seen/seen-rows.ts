import { createHash } from 'node:crypto';
import { seenKey } from '../keys.ts';
import type { Key, Row, Table } from '../table.ts';

/** A user as their last request showed them. */
export interface Seen {
  readonly groups: readonly string[];
  /** The time of the request, in ms since the epoch. */
  readonly at: number;
}

/** The stored record of a user. */
export interface SeenRow extends Seen {
  /** When DynamoDB may delete the row, in ms since the epoch; 0 in an older row without this time. */
  readonly until: number;
}

/** A request of a user, and the earlier record; `before` is undefined if there is none. */
export interface Sighting extends Seen {
  readonly user: string;
  readonly before: Seen | undefined;
  /** The start of the row's retention of {@link SEEN_KEPT}, in ms since the epoch; `at` if absent. */
  readonly keptFrom?: number;
}

const DAY = 86_400_000;
/**
 * The retention of a row, in ms. For users with Subscriptions or Tallies, the row is renewed when half of it is over.
 * Other rows affect nothing.
 */
export const SEEN_KEPT = 90 * DAY;

/** Reads the records of these users, consistently; one request for each 100 of them. */
export async function readSeen(
  table: Table,
  users: readonly string[],
): Promise<ReadonlyMap<string, SeenRow>> {
  const rows = users.length === 0 ? [] : await table.batchGet([...new Set(users)].map(keyOf));
  return new Map(rows.map((row) => [String(row.user), seenIn(row)]));
}

/** Records a request of a user, if the row is unchanged since `before`. Resolves to whether it wrote the record. */
export async function noteSeen(table: Table, sighting: Sighting): Promise<boolean> {
  const { user, groups, at, before, keptFrom = at } = sighting;
  const { outcome } = await table.update(keyOf(user), {
    set: {
      user,
      groups: JSON.stringify(groups),
      at: Math.max(at, before?.at ?? 0),
      ttl: Math.ceil((keptFrom + SEEN_KEPT) / 1_000),
    },
    condition: [before === undefined ? { missing: 'pk' } : { attribute: 'at', is: '=', value: before.at }],
  });
  return outcome === 'done';
}

function seenIn({ groups, at, ttl }: Row): SeenRow {
  return { groups: JSON.parse(String(groups)), at: Number(at), until: Number(ttl ?? 0) * 1_000 };
}

/** The key of a user's row. A user name may have any length and any characters, so the key holds a digest of it. */
const keyOf = (user: string): Key => seenKey(createHash('sha256').update(user).digest('base64url'));
