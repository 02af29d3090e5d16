import { describe, expect, it } from '@jest/globals';
import { followJournal } from '../../../../lib/delivery/reconcile/follow-journal.ts';
import { createProgressing } from '../../../support/watch/progressing.ts';

const FOLLOWED = ['stores the queue', 'tells the queue'];

describe('followJournal', () => {
  it('followJournal uses the new selection for names up to the boundary, and the old one after it', async () => {
    const { done, options, progress, set, write } = createProgressing();
    const upTo = await write('a app=y', 'm app=y', 'n app=y', 'b app=x', 'm app=x', 'z app=x');
    set('app=y', 'app=x', { step: 'between', position: 1, boundary: 'default/m' });
    await followJournal(progress, { ...options, upTo });
    expect(done().filter((call) => call.includes('@'))).toEqual([
      'ADDED a@2',
      'ADDED m@3',
      'DELETED m@6',
      'ADDED z@7',
    ]);
  });

  it('followJournal sends nothing for names after the boundary if there was no old selection', async () => {
    const { done, options, progress, set, write } = createProgressing();
    const upTo = await write('a app=y', 'z app=y');
    set('app=y', undefined, { step: 'between', position: 1, boundary: 'default/m' });
    await followJournal(progress, { ...options, upTo });
    expect(done()).toEqual([FOLLOWED[0], 'ADDED a@2', 'stores 3', FOLLOWED[1]]);
  });

  it('followJournal uses the new selection for all names after the edit', async () => {
    const { done, options, progress, set, write } = createProgressing();
    const upTo = await write('a app=y', 'z app=y', 'z app=x');
    set('app=y', 'app=x', { step: 'journal', position: 1, boundary: 'default/m' });
    await followJournal(progress, { ...options, upTo });
    expect(done()).toEqual([FOLLOWED[0], 'ADDED a@2', 'ADDED z@3', 'DELETED z@4', 'stores 4', FOLLOWED[1]]);
  });

  it('followJournal stops `near` changes before the end, and without matches stores only the position', async () => {
    const { done, options, progress, set, write } = createProgressing();
    const upTo = await write('a app=x', 'b app=x');
    set('app=y', undefined, { step: 'journal', position: 1 });
    await followJournal(progress, { ...options, upTo, near: 2 });
    expect(done()).toEqual([]);
    await followJournal(progress, { ...options, upTo, near: 1 });
    expect(done()).toEqual(['stores 3', FOLLOWED[1]]);
  });

  it('followJournal continues after the changes that the queue accepted', async () => {
    const { options, progress, queue, set, write } = createProgressing();
    const upTo = await write('a app=x', 'b app=y', 'c app=x', 'd app=y');
    set('app=x', undefined, { step: 'journal', position: 1 });
    queue.accepted = 1;
    await expect(followJournal(progress, { ...options, upTo })).rejects.toThrow('refused');
    expect(progress.state.position).toBe(3);
    set('app=none', undefined, { step: 'journal', position: 1 });
    queue.accepted = 0;
    await expect(followJournal(progress, { ...options, upTo })).rejects.toThrow('refused');
    expect(progress.state.position).toBe(5);
  });
});
