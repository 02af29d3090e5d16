import { describe, expect, it } from '@jest/globals';
import { inPool } from '../../../../console/what-if/in-pool.ts';
import { type Done, summaryOf, troubleOf } from '../../../../console/what-if/outcomes.ts';
import { setDifference } from '../../../../console/what-if/set-difference.ts';

describe('Work side by side', () => {
  it('At most so many items are worked on at once, and the results keep the order of the items', async () => {
    let running = 0;
    let most = 0;
    const results = await inPool(
      [3, 1, 2, 5, 4],
      { most: 2, signal: new AbortController().signal },
      async (item) => {
        most = Math.max(most, ++running);
        for (let turns = 0; turns < item; turns += 1) await Promise.resolve();
        running -= 1;
        return item * 10;
      },
    );
    expect([results, most]).toEqual([[30, 10, 20, 50, 40], 2]);
  });

  it('After a stop, items that are begun end, and the others have no result', async () => {
    const stopping = new AbortController();
    const results = await inPool(['a', 'b', 'c'], { most: 1, signal: stopping.signal }, async (item) => {
      if (item === 'b') stopping.abort();
      return item;
    });
    expect(results).toEqual(['a', 'b', undefined]);
  });
});

describe('What became of the writes', () => {
  const write = { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '7', before: {}, after: {} };
  const done = (outcome: Done['outcome']): Done => ({ write, outcome });

  it('Each outcome but a written object has a sentence', () => {
    expect(troubleOf(done({ what: 'written', resourceVersion: '8' }))).toBe('');
    expect(troubleOf(done({ what: 'changed' }))).toBe('changed meanwhile, and left as it is');
    expect(troubleOf(done({ what: 'gone' }))).toBe('deleted meanwhile');
    expect(troubleOf(done({ what: 'refused', reason: 'pods "web" is forbidden' }))).toBe(
      'pods "web" is forbidden',
    );
    expect(troubleOf(done({ what: 'unknown', isThere: true }))).toContain('has the new labels');
    expect(troubleOf(done({ what: 'unknown', isThere: false }))).toContain('does not have the new labels');
    expect(troubleOf(done({ what: 'unknown', isThere: undefined }))).toContain('look at the object');
    expect(troubleOf(done(undefined))).toBe('not begun: you stopped');
  });

  it('The summary counts the written objects', () => {
    const written = done({ what: 'written', resourceVersion: '8' });
    expect(summaryOf([written], 'Relabelled')).toBe('Relabelled 1 object');
    expect(summaryOf([written, done({ what: 'gone' }), written], 'Relabelled')).toBe(
      'Relabelled 2 of 3 objects',
    );
  });
});

it('The difference of two sets goes by uid, so an object that was created anew leaves and enters', () => {
  const object = (name: string, uid: string) => ({ metadata: { name, uid } });
  const { enters, leaves, stays } = setDifference(
    [object('a', '1'), object('b', '2'), object('c', '3')],
    [object('b', '2'), object('c', '9'), object('d', '4')],
  );
  expect([enters, leaves, stays]).toEqual([
    [object('c', '9'), object('d', '4')],
    [object('a', '1'), object('c', '3')],
    1,
  ]);
});
