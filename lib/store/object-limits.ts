/** How large an object may be that is written. */

import type { JsonObject } from '../json/index.ts';
import { countValues, MOST_VALUES, metadataOf, TooLargeError } from '../json/index.ts';
import { encodedBytes } from './body-codec.ts';
import { eventBytes } from './event-bytes.ts';
import type { EntryDraft } from './journal.ts';

/** An event has to fit an SQS message (1 MiB) with room for its attributes. */
const MOST_BODY_BYTES = 768 * 1024;
/** An item has to fit 400 KiB, keys and attribute names included. */
const MOST_ENCODED_BYTES = 390_000;
/** What an object on its way out may take beyond: whatever was let in can be marked for deletion, and deleted. */
const LEAVING_BYTES = 14_000;
/** Values that marking an object for deletion may add. */
const MARKING_VALUES = 16;
/** Values that ownership and validation walk in a tenth of a second. */
const FEW_VALUES = 10_000;

/** An object that was stored while events were counted otherwise may stay as long as it is, and can be deleted. */
export function refuseLongEvent(before: JsonObject | undefined, body: JsonObject, entry: EntryDraft): void {
  const room = roomOf(body, entry);
  const raw = eventBytes(body);
  if (raw <= MOST_BODY_BYTES + room) return;
  const limit = Math.max(MOST_BODY_BYTES, before === undefined ? 0 : eventBytes(before)) + room;
  if (raw > limit) throw new TooLargeError('the object', raw, { limit, unit: 'bytes' });
}

/**
 * Refuses an object of many values that no write could store, whatever is added to it, before ownership and validation
 * walk it. One of few values is checked at its end, so that validation says first what Kubernetes says of it.
 *
 * @param before what it replaces, which may be as long as it is
 * @throws {TooLargeError}
 */
export function refuseUnstorable(body: JsonObject, before?: JsonObject): void {
  if (countValues(body, FEW_VALUES) <= FEW_VALUES) return;
  const most = MOST_BODY_BYTES + LEAVING_BYTES;
  const raw = eventBytes(body);
  if (raw <= most) return;
  const limit = Math.max(most, before === undefined ? 0 : eventBytes(before) + LEAVING_BYTES);
  if (raw > limit) throw new TooLargeError('the object', raw, { limit: MOST_BODY_BYTES, unit: 'bytes' });
}

function roomOf(body: JsonObject, { type }: EntryDraft): number {
  return type === 'DELETED' || isLeaving(body) ? LEAVING_BYTES : 0;
}

/** Slots are counted as if all were taken, so that what was let in once fits whatever becomes of it. */
export function refuseLarge(body: JsonObject, entry: EntryDraft, slots: number): void {
  const room = roomOf(body, entry);
  const bytes =
    encodedBytes(entry.body) + encodedBytes(entry.previous) + Buffer.byteLength(entry.labels) + slots;
  if (bytes > MOST_ENCODED_BYTES + room) {
    const limit = MOST_ENCODED_BYTES + room;
    throw new TooLargeError('the compressed object and what it changes', bytes, { limit, unit: 'bytes' });
  }
}

/** An object that has more, from before there was a limit, may keep them; and any can be marked for deletion. */
export function refuseMoreValues(before: JsonObject | undefined, body: JsonObject, values: number): void {
  if (values <= MOST_VALUES) return;
  const marks = isLeaving(body) && before !== undefined && !isLeaving(before);
  const limit =
    Math.max(MOST_VALUES, before === undefined ? 0 : countValues(before)) + (marks ? MARKING_VALUES : 0);
  if (values > limit) throw new TooLargeError('the object', values, { limit, unit: 'JSON values' });
}

function isLeaving(body: JsonObject): boolean {
  return metadataOf(body).deletionTimestamp !== undefined;
}
