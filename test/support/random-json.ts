import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../lib/json/index.ts';

const KEYS = [
  'a',
  'name',
  'kind',
  'apiVersion',
  'metadata',
  '__proto__',
  '10',
  '2',
  '"metadata',
  'ä',
  '😀',
  '',
];
const TEXTS = [
  '',
  '"',
  '\\',
  '\\"',
  '{"metadata":{',
  '}],',
  '"Items":[',
  'ä',
  '😀',
  '\u2028',
  '\ud800',
  '\u0000',
];

const shape = {
  key: fc.constantFrom(...KEYS),
  values: [
    fc.constantFrom(...TEXTS),
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  ],
  maxDepth: 3,
  maxKeys: 5,
};

/** As an object is after it was sent: infinite numbers are null, and no value is undefined. */
const sent = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

/** JSON values with everything that JSON allows, and texts that look like JSON. */
export const randomValues = (count: number) =>
  fc.sample(fc.anything(shape).map(sent) as fc.Arbitrary<JsonValue>, { numRuns: count, seed: 1 });

/** JSON objects of the same kind. */
export const randomObjects = (count: number) =>
  fc.sample(fc.object(shape).map(sent) as fc.Arbitrary<JsonObject>, { numRuns: count, seed: 2 });
