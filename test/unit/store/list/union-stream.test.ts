import { describe, expect, it } from '@jest/globals';
import type { CandidateStream } from '../../../../lib/store/list/candidate-stream.ts';
import { UnionStream } from '../../../../lib/store/list/union-stream.ts';

/** A stream that has read up to a name, whose next candidate has this one. */
const read = (reach: string, { ended = false, next = '' } = {}): CandidateStream => ({
  state: 'open',
  ended,
  reach,
  waiting: (name) => (next !== '' && next <= name ? 1 : 0),
  seek: async () => (next === '' ? undefined : { nameKey: next, labels: {} }),
});
const over = (reach: string) => read(reach, { ended: true });

describe('a union of several streams', () => {
  it.each([
    ['goes on as long as one of them does', [over('z'), read('m')], false],
    ['has ended when all of them have', [over('z'), over('m')], true],
  ])('%s', (_, streams, ended) => {
    expect(new UnionStream(streams).ended).toBe(ended);
  });

  it.each([
    ['as far as the least of them', [read('m'), read('c'), read('z')], 'c'],
    ['as far as the least of those that go on', [over('a'), read('m'), over('z'), read('p')], 'm'],
    ['as far as any where all have ended', [over('m'), over('z'), over('a')], 'z'],
  ])('reaches %s', (_, streams, reach) => {
    expect(new UnionStream(streams).reach).toBe(reach);
  });

  it('returns the first name of any stream, and counts the entries of all', async () => {
    const union = new UnionStream([
      read('z'),
      read('z', { next: 'k' }),
      read('z', { next: 'c' }),
      read('z', { next: 'p' }),
    ]);
    expect(await union.seek('a')).toEqual({ nameKey: 'c', labels: {} });
    expect(union.waiting('m')).toBe(2);
    expect(await new UnionStream([read('z'), read('z')]).seek('a')).toBeUndefined();
  });
});
