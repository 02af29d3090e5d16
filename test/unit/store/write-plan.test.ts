import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type JsonObject, objectAt, TooLargeError } from '../../../lib/json/index.ts';
import { countValues } from '../../../lib/json/json-size.ts';
import { systemRandom } from '../../../lib/platform/index.ts';
import type { Labels } from '../../../lib/selectors/index.ts';
import type { BodyPlaces } from '../../../lib/store/chunks/index.ts';
import { CHUNKS_SCHEMA, LabelLimitError } from '../../../lib/store/index.ts';
import type { LabelPlace } from '../../../lib/store/labels/index.ts';
import { type ObjectState, stateOf } from '../../../lib/store/object.ts';
import type { TransactItem } from '../../../lib/store/table.ts';
import { bodiesOf, planWrite, transactionOf, type WritePlan } from '../../../lib/store/write-plan.ts';
import { targetOf } from '../../support/store/memory-table.ts';
import { named, thing } from '../../support/store/store-fixture.ts';

const collection = 'test/things';
const name = named('a');
const found = (body: JsonObject): ObjectState => stateOf(name, 7, body);
const marked = (body: JsonObject): JsonObject => ({
  ...body,
  metadata: { ...objectAt(body.metadata), deletionTimestamp: '2026-01-01T00:00:00Z' },
});

function plan(body: JsonObject, before?: JsonObject, kind: 'put' | 'delete' = 'put') {
  const mutation = { kind, body };
  const planned = planWrite(collection, name, {
    before: before && found(before),
    mutation,
    schema: CHUNKS_SCHEMA - 1,
  });
  inline(planned);
  return planned;
}

/** The places of a plan's bodies in a row schema without chunks. */
const inline = (planned: WritePlan) =>
  bodiesOf(collection, planned, { divided: undefined, random: systemRandom, now: 0 }) as BodyPlaces;

/** The transaction of a plan. */
const transactionFor = (planned: WritePlan, origin?: { readonly auditID: string | undefined }) =>
  transactionOf(collection, planned, { rv: 9, time: 0, places, bodies: inline(planned), origin });

/** Of the keys `app` and `tier` and `size`, one has no slot. */
const places = new Map<string, LabelPlace>([
  ['app', 0],
  ['tier', 'overflow'],
  ['size', 7],
]);

/** The items of a transaction, as `put labels app`, each with its condition. */
function itemsOf(body: JsonObject, before?: JsonObject, kind: 'put' | 'delete' = 'put'): unknown[] {
  const items = transactionFor(plan(body, before, kind));
  return items.map((item) => [spell(item), ...(item.condition ?? [])]);
}

function spell(item: TransactItem): string {
  const { pk, sk } = targetOf(item);
  const kind = pk.slice(0, pk.indexOf('#'));
  return `${Object.keys(item)[0]} ${kind}${kind === 'labels' ? ` ${sk}` : ''}`;
}

const absent = { missing: 'pk' };
const unchanged = { attribute: 'rv', is: '=', value: 7 };
const below = { any: [absent, { attribute: 'rv', is: '<', value: 9 }] };

describe('the items and conditions of a write', () => {
  const labelled = thing('a', { app: 'x', tier: 'y' });

  it('are these for a create', () => {
    expect(itemsOf(labelled)).toEqual([
      ['put object', absent],
      ['put journal', absent],
      ['put relabel'],
      ['check tombstone', below],
      ['put labels tier'],
    ]);
  });

  it('are these for a change of labels: every label without a slot, because each entry carries all labels', () => {
    expect(itemsOf(thing('a', { app: 'z' }), labelled)).toEqual([
      ['put object', unchanged],
      ['put journal', absent],
      ['put relabel'],
      ['delete labels tier'],
    ]);
    expect(itemsOf(thing('a', { app: 'z', tier: 'y' }), labelled).at(-1)).toEqual(['put labels tier']);
  });

  it('are these for any other change', () => {
    expect(itemsOf(thing('a', { app: 'x', tier: 'y' }, { size: 1 }), labelled)).toEqual([
      ['put object', unchanged],
      ['put journal', absent],
    ]);
  });

  it('are these for a delete', () => {
    expect(itemsOf(labelled, labelled, 'delete')).toEqual([
      ['delete object', unchanged],
      ['put journal', absent],
      ['put relabel'],
      ['put tombstone'],
      ['delete labels tier'],
    ]);
  });

  it('put the labels with a slot into the object’s row, whether they changed or not', () => {
    const rowOf = (body: JsonObject, before?: JsonObject) => transactionFor(plan(body, before)).at(0);
    const row = { labels: '{"app":"x","size":"","tier":"y"}', v0: 'x!default/a', v7: '!default/a' };
    const body = thing('a', { app: 'x', tier: 'y', size: '' });
    expect(rowOf(body)).toMatchObject({ put: row });
    expect(rowOf({ ...body, spec: { changed: true } }, body)).toMatchObject({ put: row });
    expect(rowOf(thing('a', { tier: 'y' }), body)).not.toHaveProperty('put.v0');
  });

  it('put an entry with all labels for each label without a slot, in the index of its key', () => {
    const items = transactionFor(plan(labelled));
    expect(items.at(-1)).toEqual({
      put: {
        pk: 'labels#test/things#default/a',
        sk: 'tier',
        k: 'test/things#tier',
        v: 'y!default/a',
        labels: '{"app":"x","tier":"y"}',
      },
    });
  });

  it('store the id of the request in the journal, if there was one', () => {
    const journalOf = (auditID?: string) => transactionFor(plan(labelled), { auditID }).at(1);
    expect(journalOf('abc')).toMatchObject({ put: { auditID: 'abc' } });
    expect(journalOf()).not.toHaveProperty('put.auditID');
  });
});

/** The size that it is refused for; undefined where it is let in. */
function refusal(make: () => unknown): number | undefined {
  try {
    make();
    return undefined;
  } catch (error) {
    if (error instanceof TooLargeError) return error.size;
    throw error;
  }
}

describe('the raw size of an object', () => {
  const LIMIT = 768 * 1024;
  const LEAVING = LIMIT + 14_000;
  const bytesOf = (body: JsonObject) => Buffer.byteLength(JSON.stringify(body));
  const sized = (bytes: number, shape: (body: JsonObject) => JsonObject = (body) => body) => {
    const length = bytes - bytesOf(shape(thing('a', {}, { text: '' })));
    return shape(thing('a', {}, { text: 'x'.repeat(length) }));
  };

  it('is limited, to the byte', () => {
    expect(refusal(() => plan(sized(LIMIT)))).toBeUndefined();
    expect(refusal(() => plan(sized(LIMIT + 1)))).toBe(LIMIT + 1);
  });

  it.each([
    ['marked for deletion', () => plan(sized(LEAVING, marked)), () => plan(sized(LEAVING + 1, marked))],
    [
      'deleted',
      () => plan(sized(LEAVING), thing('a', {}), 'delete'),
      () => plan(sized(LEAVING + 1), thing('a', {}), 'delete'),
    ],
  ])('has some room if the object is %s', (_, fits, isOver) => {
    expect(refusal(fits)).toBeUndefined();
    expect(refusal(isOver)).toBe(LEAVING + 1);
  });

  it('counts a noncharacter that SQS refuses in its escaped form, so that its event fits a message', () => {
    const spoiled = thing('a', {}, { text: '\uFFFE\uFFFF'.repeat(70_000) });
    expect(refusal(() => plan(spoiled))).toBe(bytesOf(spoiled) + 140_000 * 3);
  });

  it('lets an object with a longer stored event be changed and deleted, but not grow', () => {
    const spoiled = (count: number) => thing('a', {}, { text: '\uFFFF'.repeat(count) });
    expect(refusal(() => plan(spoiled(200_000), spoiled(200_000)))).toBeUndefined();
    expect(refusal(() => plan(spoiled(200_000), spoiled(200_000), 'delete'))).toBeUndefined();
    expect(refusal(() => plan(spoiled(200_001), spoiled(200_000)))).toBe(bytesOf(spoiled(200_001)) + 600_003);
  });

  it('counts each half of a surrogate pair in its escaped form', () => {
    const pairs = thing('a', {}, { text: '😀'.repeat(70_000) });
    expect(refusal(() => plan(pairs))).toBe(bytesOf(pairs) + 70_000 * 8);
  });
});

describe('the compressed size of an object and its previous state', () => {
  const LIMIT = 390_000;
  const noise = createHash('shake256', { outputLength: 450_000 }).update('noise').digest('base64');
  const noisy = (length: number) => thing('a', {}, { text: noise.slice(0, length) });

  it('is limited', () => {
    expect(refusal(() => plan(noisy(500_000)))).toBeUndefined();
    expect(refusal(() => plan(noisy(530_000)))).toBeGreaterThan(LIMIT);
    const before = thing('a', {}, { text: noise.slice(-300_000) });
    expect(refusal(() => plan(noisy(150_000), before))).toBeUndefined();
    expect(refusal(() => plan(noisy(250_000), before))).toBeGreaterThan(LIMIT);
    // What stands in both is counted once.
    expect(refusal(() => plan(noisy(250_000), noisy(300_000)))).toBeUndefined();
  });

  it('counts the label slots of the row, at most sixteen labels', () => {
    const size = (labels: Labels) =>
      refusal(() => plan(thing('a', labels, { text: noise.slice(0, 540_000) }))) ?? 0;
    const values = (count: number, value: string): Labels =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));
    // Of the value, `!default/a` and the longest name of an attribute.
    const [of16, of17] = [size(values(16, 'x'.repeat(63))), size(values(17, 'x'.repeat(63)))];
    expect(of16 - size(values(16, ''))).toBeGreaterThan(16 * 63 * 2);
    expect(of17 - of16).toBeLessThan(2 * '"k16":"",'.length + 63 + 20);
  });

  it('has some room if the object is marked for deletion', () => {
    expect(refusal(() => plan(marked(noisy(530_000))))).toBeUndefined();
    expect(refusal(() => plan(marked(noisy(560_000))))).toBeGreaterThan(LIMIT + 14_000);
  });
});

describe('the number of values of an object', () => {
  const MOST = 60_000;
  /** Of exactly so many JSON values. */
  const valued = (values: number) => {
    const own = countValues(thing('a', {}, { list: [] }));
    return thing('a', {}, { list: Array(values - own).fill(0) });
  };

  it('is limited, to the value', () => {
    expect(refusal(() => plan(valued(MOST)))).toBeUndefined();
    expect(refusal(() => plan(valued(MOST + 1)))).toBe(MOST + 1);
    expect(refusal(() => plan(valued(MOST + 1), valued(MOST)))).toBe(MOST + 1);
  });

  it('may stay as high as it was, and has some room if the object is marked for deletion', () => {
    const before = valued(MOST + 100);
    expect(refusal(() => plan(before, before))).toBeUndefined();
    expect(refusal(() => plan(valued(MOST + 101), before))).toBe(MOST + 101);
    expect(refusal(() => plan(marked(valued(MOST + 115)), before))).toBeUndefined();
    expect(refusal(() => plan(marked(valued(MOST + 116)), before))).toBe(MOST + 117);
    expect(refusal(() => plan(marked(before), marked(before)))).toBeUndefined();
    expect(refusal(() => plan(marked(valued(MOST + 101)), marked(before)))).toBe(MOST + 102);
    expect(refusal(() => plan(marked(valued(MOST))))).toBe(MOST + 1);
  });
});

describe('the labels of an object', () => {
  const labels = (count: number, prefix = 'k', value = ''): Labels =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, value]));

  it('are limited, old and new together, but not for a delete', () => {
    expect(plan(thing('a', labels(96))).indexed).toHaveLength(96);
    expect(() => plan(thing('a', labels(97)))).toThrow(LabelLimitError);
    expect(() => plan(thing('a', labels(7, 'other')), thing('a', labels(90)))).toThrow(LabelLimitError);
    const many = thing('a', labels(97));
    expect(plan(many, many, 'delete').unindexed).toHaveLength(97);
  });

  it('are limited in bytes, because each entry carries all of them', () => {
    const key = (index: number) => `${'p'.repeat(200)}.io/k${index}`;
    const large = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [key(index), 'v'.repeat(63)]));
    expect(plan(thing('a', large(80))).indexed).toHaveLength(80);
    expect(() => plan(thing('a', large(90)))).toThrow(
      /may take 2\d{6} bytes, because each entry holds all labels; the limit is 2000000/,
    );
  });
});
