import { describe, expect, it } from '@jest/globals';
import { readActivity } from '../../../../lib/store/index.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';

const MINUTE = 60_000;

/** A process that writes pods, beside the time of its newest mark. */
function createWriter() {
  const { table, clock, store } = createMemoryStore();
  return {
    table,
    clock,
    mark: () => readActivity(table),
    write: (name: string, dryRun = false) =>
      store.write('core/pods', { namespace: 'default', name }, () => ({ kind: 'put', body: {} }), { dryRun }),
  };
}

describe('The mark of a process that writes', () => {
  it('A process marks its first write, and one write at most in each minute', async () => {
    const { clock, mark, write } = createWriter();
    expect(await mark()).toBeUndefined();
    const first = clock.now();
    await write('a');
    expect(await mark()).toBe(first);
    clock.advance(MINUTE - 1);
    await write('b');
    expect(await mark()).toBe(first);
    clock.advance(1);
    await write('c');
    expect(await mark()).toBe(first + MINUTE);
  });

  it('A dry run makes no mark', async () => {
    const { mark, write } = createWriter();
    await write('a', true);
    expect(await mark()).toBeUndefined();
  });

  it('A write whose mark the table does not take is not applied', async () => {
    const { table, mark, write } = createWriter();
    const { update } = table;
    Object.assign(table, {
      update: (...request: Parameters<typeof update>) =>
        request[0].pk.startsWith('activity#') ? Promise.reject(new Error('refused')) : update(...request),
    });
    await expect(write('a')).rejects.toThrow('refused');
    expect(await mark()).toBeUndefined();
    expect((await table.query({ partition: 'object#core/pods', from: '!', to: '~' })).rows).toEqual([]);
  });
});
