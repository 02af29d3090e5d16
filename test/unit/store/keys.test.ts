import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  byLabelKeyPartition,
  byLabelPartition,
  JOURNAL_SHARDS,
  journalKey,
  nameAfter,
  nameKey,
  nameRange,
  objectKey,
  padVersion,
  parseJournalKey,
  parseNameKey,
  relabelKey,
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

describe('the partition of a label', () => {
  it('is one per collection, key and value', () => {
    const partitions = [
      byLabelPartition('core/pods', 'app', 'x'),
      byLabelPartition('core/pods', 'app', ''),
      byLabelPartition('core/podss', 'app', 'x'),
      byLabelPartition('core/pods', 'example.com/app', 'x'),
      byLabelKeyPartition('core/pods', 'app'),
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
