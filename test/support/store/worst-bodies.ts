import { createHash } from 'node:crypto';
import type { JsonValue } from '../../../lib/json/index.ts';

/** The most that one object may carry: values for their number, text for its bytes. */
const MOST_VALUES = 59_900;
const MOST_BYTES = 1_520 * 1024;

function list(item: (index: number) => JsonValue, values: number): JsonValue[] {
  const items: JsonValue[] = [];
  let bytes = 0;
  for (let index = 0; (index + 1) * values < MOST_VALUES; index += 1) {
    const next = item(index);
    bytes += JSON.stringify(next).length + 1;
    if (bytes > MOST_BYTES) break;
    items.push(next);
  }
  return items;
}

/** What takes the most memory for its size, by what it is made of. All but one compress to next to nothing. */
export const WORST_BODIES: Readonly<Record<string, JsonValue>> = {
  'empty objects': list(() => ({}), 1),
  'numbers as keys': list(() => ({ 99: 0 }), 2),
  'a new key each': list((index) => ({ [index.toString(36).padStart(4, 'k')]: {} }), 2),
  'nested lists': list(() => [[[[[[[[[[]]]]]]]]]], 10),
  'managed fields': Object.fromEntries(
    list((index) => `f:field${index.toString(36)}`, 1)
      .slice(0, 45_000)
      .map((key) => [String(key), {}]),
  ),
  'two bytes a character': `€${'x'.repeat(MOST_BYTES - 10)}`,
  'text that does not compress': createHash('shake256', { outputLength: MOST_BYTES })
    .update('noise')
    .digest('base64')
    .slice(0, MOST_BYTES - 10),
  'escaped characters': '\u0001'.repeat(MOST_BYTES / 6 - 10),
};

/** The one of them that fills most memory. */
export const WORST_BODY: JsonValue = WORST_BODIES['a new key each'] ?? null;
