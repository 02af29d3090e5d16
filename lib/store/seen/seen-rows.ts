import { createHash } from 'node:crypto';
import { seenKey } from '../keys.ts';
import type { Key, Row, Table } from '../table.ts';

/** A user as a request of theirs showed them. */
export interface Seen {
  readonly groups: readonly string[];
  /** In ms since the epoch. */
  readonly at: number;
}

/** Who was seen; and what was known of that before, undefined: nothing. */
export interface Sighting extends Seen {
  readonly user: string;
  readonly before: Seen | undefined;
}

/** Of these users what is known, read consistently, in one request for 100 of them. */
export async function readSeen(table: Table, users: readonly string[]): Promise<ReadonlyMap<string, Seen>> {
  const rows = users.length === 0 ? [] : await table.batchGet([...new Set(users)].map(keyOf));
  return new Map(rows.map((row) => [String(row.user), seenIn(row)]));
}

/** Notes that a user was seen, where the row still says what it said before. Answers whether it did. */
export async function noteSeen(table: Table, { user, groups, at, before }: Sighting): Promise<boolean> {
  const { outcome } = await table.update(keyOf(user), {
    set: { user, groups: JSON.stringify(groups), at: Math.max(at, before?.at ?? 0) },
    condition: [before === undefined ? { missing: 'pk' } : { attribute: 'at', is: '=', value: before.at }],
  });
  return outcome === 'done';
}

function seenIn({ groups, at }: Row): Seen {
  return { groups: JSON.parse(String(groups)), at: Number(at) };
}

/** A name may have any length and any characters: a key has a digest of it. */
const keyOf = (user: string): Key => seenKey(createHash('sha256').update(user).digest('base64url'));
