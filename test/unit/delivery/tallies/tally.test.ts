import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { EMPTY_DIGEST, setIn, tallyAfter, tallyOf } from '../../../../lib/delivery/tallies/tally.ts';
import type { ObjectState } from '../../../../lib/store/index.ts';
import type { ObjectEvent } from '../../../../lib/store/watch/transition.ts';

const object = (name: string, rv: number, namespace = 'default') =>
  ({ name: { namespace, name }, rv, uid: name, labels: {}, body: {} }) as ObjectState;
const added = (name: string, rv: number): ObjectEvent => ({ type: 'ADDED', object: object(name, rv) });
const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

describe('the digest of a set', () => {
  it('a digest counts events and objects, and sums the hashes of the objects', () => {
    expect(setIn(EMPTY_DIGEST)).toEqual({ sequence: '0', set: `0/${'0'.repeat(32)}` });
    const one = tallyAfter(EMPTY_DIGEST, added('a', 7));
    expect(setIn(one)).toEqual({ sequence: '1', set: `1/${digest('default/a@7')}` });
    const sum = (BigInt(`0x${digest('default/a@7')}`) + BigInt(`0x${digest('default/b@9')}`)) % (1n << 128n);
    const two = tallyAfter(one, added('b', 9));
    expect(setIn(two)).toEqual({ sequence: '2', set: `2/${sum.toString(16).padStart(32, '0')}` });
  });

  it('a digest subtracts the previous version of an object', () => {
    const one = tallyAfter(EMPTY_DIGEST, added('a', 7));
    const changed = tallyAfter(one, { type: 'MODIFIED', object: object('a', 8), previous: 7 });
    expect(setIn(changed)).toEqual({ sequence: '2', set: `1/${digest('default/a@8')}` });
    const gone = tallyAfter(changed, { type: 'DELETED', object: object('a', 12), previous: 8 });
    expect(setIn(gone)).toEqual({ sequence: '3', set: setIn(EMPTY_DIGEST).set });
  });

  it('the digest of a known set equals that of its events, except for the sequence number', () => {
    const objects = [object('a', 7), object('b', 9), object('node', 3, '')];
    const told = objects.reduce(
      (tally, one) => tallyAfter(tally, { type: 'ADDED', object: one }),
      EMPTY_DIGEST,
    );
    const pages = tallyOf(tallyOf(EMPTY_DIGEST, objects.slice(0, 1)), objects.slice(1));
    expect(setIn(pages)).toEqual({ sequence: '0', set: setIn(told).set });
  });

  it('the sum of a digest stays within 128 bits', () => {
    const names = Array.from({ length: 300 }, (_, index) => object(`p${index}`, index));
    const { set } = setIn(tallyOf(EMPTY_DIGEST, names));
    expect(set).toMatch(/^300\/[0-9a-f]{32}$/);
    const gone = names.reduce(
      (tally, one) => tallyAfter(tally, { type: 'DELETED', object: one, previous: one.rv }),
      tallyOf(EMPTY_DIGEST, names),
    );
    expect(setIn(gone)).toEqual({ sequence: '300', set: setIn(EMPTY_DIGEST).set });
  });
});
