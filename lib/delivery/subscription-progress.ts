import { timestamp } from '../coordination/index.ts';
import { collectionOf, type JsonObject, metadataOf, objectAt } from '../json/index.ts';
import type { Clock } from '../platform/index.ts';
import { cursorKey, headKey, type Row, subscriptionKey, type Table } from '../store/index.ts';
import { journalLag } from './journal-lag.ts';
import { groupsFrom, shardOfUid } from './shards/index.ts';
import { type SetDigest, setIn, storedDigest } from './tallies/index.ts';

interface ProgressReading {
  readonly table: Table;
  readonly clock: Clock;
}

/**
 * Returns a Subscription with the fields that change too often to be stored, computed from its state row:
 *
 *   `position`   everything up to this resourceVersion was sent
 *   `lag`        `changes`: the number of later resourceVersions of the collection;
 *                `seconds`: the age of the oldest of them. Absent before the end of a snapshot
 *   `messages`   the approximate number of messages in its queue, as SQS counts them, at reconcile's last check. It
 *                checks every quarter of an hour, and whenever it reconciles a queue that it has not just created
 *
 * A subscription with `verify: true` has two more, unless an edit is in progress. They cost one more request:
 *
 *   `sequence`   the number of messages that it was sent up to the position
 *   `set`        count and digest of its set there
 *
 * A subscription without a row, which was not reconciled yet, stays as it is.
 */
export async function withProgress({ table, clock }: ProgressReading, body: JsonObject): Promise<JsonObject> {
  const spec = objectAt(body.spec);
  const { group = '', resource } = objectAt(spec.resource);
  const { uid, generation = 1 } = metadataOf(body);
  const collection = collectionOf(String(group), String(resource));
  const keys = [subscriptionKey(collection, String(uid)), cursorKey(collection), headKey(collection)];
  const rows = await table.batchGet(keys);
  const [row, cursor, head] = keys.map(({ pk, sk }) => rows.find((one) => one.pk === pk && one.sk === sk));
  if (row === undefined) return body;
  const groups = await groupsFrom(table, collection, cursor);
  const cursorAt = shardOfUid(groups, String(uid)).position;
  // Messages that were sent under another selection than the object's prove nothing about the current set.
  const isCounted = Boolean(row.tally) && row.generation === generation;
  const told = isCounted
    ? await storedDigest(table, { key: subscriptionKey(collection, String(uid)), row, cursor: cursorAt })
    : undefined;
  const position = told?.position ?? positionOf(row, cursorAt);
  const rv = Math.max(position, Number(head?.rv ?? 0));
  const age = position === 0 ? 0 : await journalLag({ table, clock }, [{ collection, position, rv }]);
  const status = {
    ...objectAt(body.status),
    position: String(position),
    ...(position === 0 ? {} : { lag: { changes: rv - position, seconds: Math.floor(age / 1000) } }),
    ...messagesOf(row),
    ...(told === undefined ? {} : shown(told.tally)),
  };
  return { ...body, status };
}

/**
 * The position up to which everything was sent. A snapshot in progress has a position, but is not complete up to there.
 */
function positionOf({ membership, step, from, position }: Row, cursor: number): number {
  if (membership === 'synced') return Math.max(Number(position), cursor);
  return step === 'journal' || from !== '' ? Number(position) : 0;
}

function shown(tally: SetDigest): JsonObject {
  const { sequence, set } = setIn(tally);
  return { sequence: Number(sequence), set };
}

function messagesOf({ waiting, inFlight, lookedAt }: Row): JsonObject {
  if (typeof lookedAt !== 'number') return {};
  return {
    messages: { waiting: Number(waiting), inFlight: Number(inFlight), asOf: timestamp(lookedAt) },
  };
}
