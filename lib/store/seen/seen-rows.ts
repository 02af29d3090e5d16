import { createHash } from 'node:crypto';
import { seenKey } from '../keys.ts';
import type { Key, Row, Table } from '../table.ts';

/** A user as a request of theirs showed them. */
export interface Seen {
  readonly groups: readonly string[];
  /** In ms since the epoch. */
  readonly at: number;
}

/** What a row says of a user. */
export interface SeenRow extends Seen {
  /** When DynamoDB may delete the row, in ms since the epoch; 0 in a row of before that, which has no such time. */
  readonly until: number;
}

/** The user that was seen, and the earlier record; undefined without one. */
export interface Sighting extends Seen {
  readonly user: string;
  readonly before: Seen | undefined;
  /** From when on the row is kept for {@link SEEN_KEPT}, in ms since the epoch; absent: from `at` on. */
  readonly keptFrom?: number;
}

const DAY = 86_400_000;
/**
 * How long a row is kept, in ms. The rows of users whose Subscriptions and Tallies exist are kept anew when half of it
 * is over; any other row decides nothing.
 */
export const SEEN_KEPT = 90 * DAY;

/** Of these users what is known, read consistently, in one request for 100 of them. */
export async function readSeen(
  table: Table,
  users: readonly string[],
): Promise<ReadonlyMap<string, SeenRow>> {
  const rows = users.length === 0 ? [] : await table.batchGet([...new Set(users)].map(keyOf));
  return new Map(rows.map((row) => [String(row.user), seenIn(row)]));
}

/** Notes that a user was seen, where the row still says what it said before. Answers whether it did. */
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

/** A name may have any length and any characters: a key has a digest of it. */
const keyOf = (user: string): Key => seenKey(createHash('sha256').update(user).digest('base64url'));
