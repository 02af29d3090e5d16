import type { JsonObject } from '../json/index.ts';

/**
 * The number of bytes of the object in an event. Each half of a surrogate pair takes 6 bytes there instead of 2. A
 * noncharacter that SQS rejects takes 6 instead of 3.
 */
export function eventBytes(body: JsonObject): number {
  const text = JSON.stringify(body);
  const count = (escaped: RegExp) => text.match(escaped)?.length ?? 0;
  return Buffer.byteLength(text) + count(/[\uD800-\uDFFF]/g) * 4 + count(/[\uFFFE\uFFFF]/g) * 3;
}
