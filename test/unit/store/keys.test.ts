import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { collectionOf } from '../../../lib/json/object-name.ts';
import {
  afterValue,
  BUCKETS,
  bucketOf,
  bucketRange,
  CURSORS,
  cursorKey,
  dependentKey,
  GC_TASK_SHARDS,
  JOURNAL_SHARDS,
  journalKey,
  lookKey,
  nameAfter,
  nameKey,
  nameRange,
  objectKey,
  overflowPartition,
  padVersion,
  parseDependentKey,
  parseGcTaskKey,
  parseJournalKey,
  parseNameKey,
  parseValueKey,
  relabelKey,
  shardOfCursor,
  valueKey,
} from '../../../lib/store/keys.ts';

const part = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,6}[a-z0-9])?$/);
/** Of a role: anything that fits into a path. */
const odd = fc
  .oneof(fc.string({ unit: 'binary', minLength: 1 }), fc.stringMatching(/^[ !~a%]{1,3}$/))
  .map((text) => text.replaceAll('/', ''))
  .filter((text) => text !== '');
const name = fc.record({
  namespace: fc.oneof(part, fc.constant('')),
  name: fc.oneof(fc.stringMatching(/^[a-z0-9]([-.a-z0-9]{0,8}[a-z0-9])?$/), odd),
});
const rv = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

describe('the bucket of a subscription', () => {
  const uid = fc.uuid();
  const places = Array.from({ length: BUCKETS }, (_, place) => place);

  it('comes from the first digits of its uid, and exists for any text', () => {
    expect(['00', '03ff', '04', '80', 'fbff', 'fc', 'uid-of-somebody', ''].map(bucketOf)).toEqual([
      0, 0, 1, 32, 62, 63, 63, 0,
    ]);
  });

  it('is in a range of buckets exactly if the uid lies within the bounds of the range', () => {
    const bound = fc.integer({ min: 0, max: BUCKETS });
    fc.assert(
      fc.property(uid, bound, bound, (one, left, right) => {
        // No run begins behind the last place.
        const [first, until] = [Math.min(left, right, BUCKETS - 1), Math.max(left, right)];
        const { from, to } = bucketRange(first, until);
        const isWithin = one >= from && one <= to;
        expect(isWithin).toBe(bucketOf(one) >= first && bucketOf(one) < until);
      }),
    );
  });

  it('may be the first of a dispatch shard, whose cursor key sorts among those of its collection', () => {
    const keys = places.map((place) => cursorKey('core/pods', place).sk);
    expect(keys.slice(0, 2)).toEqual(['cursor', 'cursor#01']);
    expect([...keys].sort()).toEqual(keys);
    expect(keys.every((sk) => sk >= CURSORS.from && sk <= CURSORS.to)).toBe(true);
    expect(places.map((place) => shardOfCursor(cursorKey('core/pods', place)))).toEqual(places);
    for (const other of ['head', 'settled']) expect(other > CURSORS.to).toBe(true);
  });
});

describe('the key of a name', () => {
  it('is parsed back to the name', () => {
    fc.assert(fc.property(name, (one) => expect(parseNameKey(nameKey(one))).toEqual(one)));
  });

  it('is in the range of its namespace and of no other', () => {
    fc.assert(
      fc.property(name, part, (one, namespace) => {
        const within = ({ from, to }: { from: string; to: string }) =>
          nameKey(one) >= from && nameKey(one) <= to;
        expect(within(nameRange(one.namespace))).toBe(true);
        expect(within(nameRange(undefined))).toBe(true);
        expect(within(nameRange(namespace))).toBe(namespace === one.namespace);
      }),
    );
  });

  it('is followed by its `nameAfter`, which precedes every later name', () => {
    fc.assert(
      fc.property(name, name, (left, right) => {
        const [first = '', second = ''] = [nameKey(left), nameKey(right)].sort();
        expect(nameAfter(first) > first).toBe(true);
        if (first !== second) expect(nameAfter(first) <= second).toBe(true);
      }),
    );
    for (const longer of ['ns/a b', 'ns/a!', 'ns/a-b', 'ns/a.b', 'ns/a0', 'ns/aa']) {
      expect(nameAfter('ns/a') < longer).toBe(true);
    }
  });

  it('sorts by the bytes of its UTF-8, as in the table', () => {
    fc.assert(
      fc.property(name, name, (left, right) => {
        const [one, other] = [nameKey(left), nameKey(right)];
        const there = Buffer.compare(Buffer.from(one), Buffer.from(other));
        expect(Math.sign(there)).toBe(one < other ? -1 : Number(one > other));
      }),
    );
    expect(nameKey({ namespace: 'ns', name: 'system:node' })).toBe('ns/system:node');
  });
});

describe('the key of a journal entry', () => {
  it('is parsed back, and sorts by resourceVersion', () => {
    fc.assert(
      fc.property(rv, rv, (left, right) => {
        const collection = collectionOf('apps.example.com', 'deployments');
        expect(parseJournalKey(journalKey(collection, left))).toEqual({ collection, rv: left });
        expect(padVersion(left) < padVersion(right)).toBe(left < right);
      }),
    );
  });

  it('spreads consecutive entries over all shards', () => {
    const rvs = Array.from({ length: JOURNAL_SHARDS }, (_, index) => 1_000 + index);
    for (const keyOf of [journalKey, relabelKey]) {
      expect(new Set(rvs.map((one) => keyOf('core/pods', one).pk)).size).toBe(JOURNAL_SHARDS);
    }
  });

  it('differs from every other key', () => {
    expect(parseJournalKey(relabelKey('core/pods', 7))).toBeUndefined();
    expect(parseJournalKey(objectKey('core/pods', 'ns/journal'))).toBeUndefined();
  });
});

describe('the key of a GC task', () => {
  const look = { due: 1_700_000_000_123, what: 'expiry', collection: 'core/pods', rv: 6 } as const;

  it('holds its shard, its due time and the kind of its check', () => {
    expect(parseGcTaskKey(lookKey(look))).toEqual({
      shard: 6 % GC_TASK_SHARDS,
      due: look.due,
      what: 'expiry',
    });
    expect(parseGcTaskKey(objectKey('core/pods', 'ns/a'))).toBeUndefined();
  });

  it('sorts by its due time, which is at the earliest the epoch', () => {
    const sorted = [-1, 0, 1, 20, 100.5, 101].map((due) => lookKey({ ...look, due }).sk.split('#')[0]);
    expect([...sorted].sort()).toEqual(sorted);
    expect(sorted[0]).toBe(sorted[1]);
  });
});

describe('the key of a dependent', () => {
  it('is parsed back to the dependent', () => {
    const key = dependentKey('uid', 'core/pods', 'ns/a#b');
    expect(parseDependentKey(key)).toEqual({
      collection: 'core/pods',
      name: { namespace: 'ns', name: 'a#b' },
    });
  });
});

describe('the key of a label in its index', () => {
  const value = fc.stringMatching(/^([A-Za-z0-9]([-A-Za-z0-9_.]{0,6}[A-Za-z0-9])?)?$/);

  it('is parsed back to value and name', () => {
    fc.assert(
      fc.property(value, name, (one, of) =>
        expect(parseValueKey(valueKey(one, nameKey(of)))).toEqual({ value: one, name: nameKey(of) }),
      ),
    );
  });

  it('is parsed back if the name contains the separator', () => {
    expect(parseValueKey(valueKey('', '/a!b'))).toEqual({ value: '', name: '/a!b' });
  });

  it('sorts by value, and by name among equal values', () => {
    fc.assert(
      fc.property(value, value, name, name, (left, right, first, second) => {
        const [low = '', high = ''] = [left, right].sort();
        const place = valueKey(low, nameKey(first));
        expect(place < afterValue(low)).toBe(true);
        if (low !== high) expect(afterValue(low) < valueKey(high, nameKey(second))).toBe(true);
        const names = [nameKey(first), nameKey(second)];
        expect(names.map((of) => valueKey(low, of)).sort()).toEqual(
          names.sort().map((of) => valueKey(low, of)),
        );
      }),
    );
  });

  it('is in a partition of its label key if the key has no slot', () => {
    const partitions = [
      overflowPartition('core/pods', 'app'),
      overflowPartition('core/podss', 'app'),
      overflowPartition('core/pods', 'example.com/app'),
    ];
    expect(new Set(partitions).size).toBe(partitions.length);
  });
});

describe('a collection key', () => {
  it('spells the core group as core', () => {
    expect(collectionOf('', 'pods')).toBe('core/pods');
    expect(collectionOf('apps', 'deployments')).toBe('apps/deployments');
  });
});
