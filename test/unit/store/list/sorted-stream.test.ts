import { expect, it } from '@jest/globals';
import { SortedStream } from '../../../../lib/store/list/sorted-stream.ts';

const streamOf = (...names: string[]) => new SortedStream(names.map((nameKey) => ({ nameKey, labels: {} })));

it('a sorted stream returns the first entry at or after a name, in the order of names', async () => {
  const stream = streamOf('default/c', 'default/a', 'default/b');
  expect((await stream.seek('!'))?.nameKey).toBe('default/a');
  expect((await stream.seek('default/a'))?.nameKey).toBe('default/a');
  expect((await stream.seek('default/a!'))?.nameKey).toBe('default/b');
  expect(await stream.seek('default/d')).toBeUndefined();
  expect(await streamOf().seek('!')).toBeUndefined();
});

it('a sorted stream is complete: it has ended, and reaches its last name', () => {
  expect(streamOf('default/c', 'default/a')).toMatchObject({
    state: 'open',
    ended: true,
    reach: 'default/c',
  });
  expect(streamOf().reach).toBe('');
});

it('a sorted stream counts the entries up to a name, without those that it passed', async () => {
  const stream = streamOf('default/a', 'default/b', 'default/c');
  expect(['default', 'default/a', 'default/b!', 'default/d'].map((name) => stream.waiting(name))).toEqual([
    0, 1, 2, 3,
  ]);
  await stream.seek('default/b');
  expect([stream.waiting('default/a'), stream.waiting('default/c')]).toEqual([0, 2]);
});
