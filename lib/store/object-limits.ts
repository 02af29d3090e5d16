/** The size limits of objects that are written. */

import { countValues, type JsonObject, MOST_VALUES, metadataOf, TooLargeError } from '../json/index.ts';
import type { EntryDraft } from './journal.ts';

/** The most bytes of an object's JSON: those of etcd's requests. */
const MOST_BODY_BYTES = 1_536 * 1024;
/** The limit in row schemas without chunks: an event fits an SQS message (1 MiB) with room for its attributes. */
const MOST_INLINE_BYTES = 768 * 1024;
/** An item has to fit 400 KiB, keys and attribute names included. */
const MOST_ENCODED_BYTES = 390_000;
/**
 * The extra size that an object in deletion may have. So every stored object can be marked for deletion, and deleted.
 */
const LEAVING_BYTES = 14_000;
/** The number of JSON values that marking an object for deletion may add. */
const MARKING_VALUES = 16;
/** The number of JSON values that field ownership and validation process in a tenth of a second. */
const FEW_VALUES = 10_000;

/**
 * Refuses an object that is too long. An object that was stored under an earlier way to count bytes may keep its size,
 * and can be deleted.
 *
 * @param isInline whether the row schema has no chunk rows
 * @throws {TooLargeError}
 */
export function refuseLong(
  before: JsonObject | undefined,
  body: JsonObject,
  { entry, isInline }: { readonly entry: EntryDraft; readonly isInline: boolean },
): void {
  const [most, bytesOf] = isInline ? [MOST_INLINE_BYTES, eventBytes] : [MOST_BODY_BYTES, jsonBytes];
  const room = roomOf(body, entry);
  const raw = bytesOf(body);
  if (raw <= most + room) return;
  const limit = Math.max(most, before === undefined ? 0 : bytesOf(before)) + room;
  if (raw > limit) throw new TooLargeError('the object', raw, { limit, unit: 'bytes' });
}

/**
 * Refuses an object that has many values and is too large for any write, even before the server adds fields. This check
 * runs before field ownership and validation process the object. An object with few values is checked after validation,
 * so that Kubernetes' validation errors come first.
 *
 * @param before the object that it replaces; the new object may be as long as this one
 * @throws {TooLargeError}
 */
export function refuseUnstorable(body: JsonObject, before?: JsonObject): void {
  if (countValues(body, FEW_VALUES) <= FEW_VALUES) return;
  const most = MOST_BODY_BYTES + LEAVING_BYTES;
  const raw = jsonBytes(body);
  if (raw <= most) return;
  const limit = Math.max(most, before === undefined ? 0 : jsonBytes(before) + LEAVING_BYTES);
  if (raw > limit) throw new TooLargeError('the object', raw, { limit: MOST_BODY_BYTES, unit: 'bytes' });
}

function roomOf(body: JsonObject, { type }: EntryDraft): number {
  return type === 'DELETED' || isLeaving(body) ? LEAVING_BYTES : 0;
}

/** The most bytes of a row's bodies, labels and slots. An object in deletion has some more. */
export function rowRoom(body: JsonObject, entry: EntryDraft, most = MOST_ENCODED_BYTES): number {
  return most + roomOf(body, entry);
}

/**
 * Refuses bodies that exceed the room of their rows by some bytes. Slots are counted as if all were in use, so that an
 * accepted object fits later, whichever of its labels have slots.
 *
 * @throws {TooLargeError}
 */
export function refuseLarge(body: JsonObject, entry: EntryDraft, excess: number): void {
  const limit = rowRoom(body, entry);
  if (excess <= 0) return;
  throw new TooLargeError('the compressed object and what it changes', limit + excess, {
    limit,
    unit: 'bytes',
  });
}

/**
 * Refuses an object with too many JSON values. An object that was stored before this limit may keep its values, and
 * every object can be marked for deletion.
 *
 * @throws {TooLargeError}
 */
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

const jsonBytes = (body: JsonObject) => Buffer.byteLength(JSON.stringify(body));

/**
 * The number of bytes of the object in an event. Each half of a surrogate pair takes 6 bytes there instead of 2. A
 * noncharacter that SQS rejects takes 6 instead of 3.
 */
function eventBytes(body: JsonObject): number {
  const text = JSON.stringify(body);
  const count = (escaped: RegExp) => text.match(escaped)?.length ?? 0;
  return Buffer.byteLength(text) + count(/[\uD800-\uDFFF]/g) * 4 + count(/[\uFFFE\uFFFF]/g) * 3;
}
