import type { JsonObject } from '../json/index.ts';

/**
 * Bytes of the object in an event. Half of a surrogate pair takes 6 there instead of 2, a noncharacter that SQS refuses
 * 6 instead of 3.
 */
export function eventBytes(body: JsonObject): number {
  const text = JSON.stringify(body);
  const count = (escaped: RegExp) => text.match(escaped)?.length ?? 0;
  return Buffer.byteLength(text) + count(/[\uD800-\uDFFF]/g) * 4 + count(/[\uFFFE\uFFFF]/g) * 3;
}
