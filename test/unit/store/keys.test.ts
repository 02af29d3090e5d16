import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  afterValue,
  JOURNAL_SHARDS,
  journalKey,
  nameAfter,
  nameKey,
  nameRange,
  objectKey,
  overflowPartition,
  padVersion,
  parseJournalKey,
  parseNameKey,
  parseValueKey,
  relabelKey,
  valueKey,
} from '../../../lib/store/keys.ts';
import { collectionOf } from '../../../lib/store/object.ts';

const part = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,6}[a-z0-9])?$/);
const name = fc.record({
  namespace: fc.oneof(part, fc.constant('')),
  name: fc.stringMatching(/^[a-z0-9]([-.a-z0-9]{0,8}[a-z0-9])?$/),
});
const rv = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

describe('the key of a name', () => {
  it('is read back', () => {
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

  it('is followed by `nameAfter` it, and that by every later name', () => {
    fc.assert(
      fc.property(name, name, (left, right) => {
        const [first = '', second = ''] = [nameKey(left), nameKey(right)].sort();
        expect(nameAfter(first) > first).toBe(true);
        if (first !== second) expect(nameAfter(first) < second).toBe(true);
      }),
    );
    for (const longer of ['ns/a-b', 'ns/a.b', 'ns/a0', 'ns/aa']) {
      expect(nameAfter('ns/a') < longer).toBe(true);
    }
  });
});

describe('the key of a journal entry', () => {
  it('is read back, and sorts by resourceVersion', () => {
    fc.assert(
      fc.property(rv, rv, (left, right) => {
        const collection = collectionOf('apps.example.com', 'deployments');
        expect(parseJournalKey(journalKey(collection, left))).toEqual({ collection, rv: left });
        expect(padVersion(left) < padVersion(right)).toBe(left < right);
      }),
    );
  });

  it('spreads what comes in a row over all shards', () => {
    const rvs = Array.from({ length: JOURNAL_SHARDS }, (_, index) => 1_000 + index);
    for (const keyOf of [journalKey, relabelKey]) {
      expect(new Set(rvs.map((one) => keyOf('core/pods', one).pk)).size).toBe(JOURNAL_SHARDS);
    }
  });

  it('is told from any other', () => {
    expect(parseJournalKey(relabelKey('core/pods', 7))).toBeUndefined();
    expect(parseJournalKey(objectKey('core/pods', 'ns/journal'))).toBeUndefined();
  });
});

describe('the place of a label in its index', () => {
  const value = fc.stringMatching(/^([A-Za-z0-9]([-A-Za-z0-9_.]{0,6}[A-Za-z0-9])?)?$/);

  it('is read back', () => {
    fc.assert(
      fc.property(value, name, (one, of) =>
        expect(parseValueKey(valueKey(one, nameKey(of)))).toEqual({ value: one, name: nameKey(of) }),
      ),
    );
  });

  it('is read back with a name that holds what stands between the two', () => {
    expect(parseValueKey(valueKey('', '/a!b'))).toEqual({ value: '', name: '/a!b' });
  });

  it('is by value first, equal values together, and by name among them', () => {
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

  it('without a slot is in a partition of its key', () => {
    const partitions = [
      overflowPartition('core/pods', 'app'),
      overflowPartition('core/podss', 'app'),
      overflowPartition('core/pods', 'example.com/app'),
    ];
    expect(new Set(partitions).size).toBe(partitions.length);
  });
});

describe('a collection', () => {
  it('of the core group is spelled core', () => {
    expect(collectionOf('', 'pods')).toBe('core/pods');
    expect(collectionOf('apps', 'deployments')).toBe('apps/deployments');
  });
});
