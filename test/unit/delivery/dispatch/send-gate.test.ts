import { describe, expect, it } from '@jest/globals';
import { SendGate } from '../../../../lib/delivery/dispatch/send-gate.ts';

/** Creates tasks of these sizes in bytes. Each runs until the test ends it. `begun` lists the started tasks. */
function createWork(most: number, sizes: readonly number[]) {
  const gate = new SendGate(most);
  const begun: number[] = [];
  const ends = sizes.map(() => Promise.withResolvers<string>());
  const done = sizes.map((bytes, at) =>
    gate.within(bytes, () => {
      begun.push(at);
      return ends[at]?.promise ?? Promise.resolve('');
    }),
  );
  return {
    begun,
    done,
    end: async (at: number) => {
      ends[at]?.resolve(`done ${at}`);
      await done[at];
      await new Promise(setImmediate);
    },
    fail: async (at: number) => {
      ends[at]?.reject(new Error(`failed ${at}`));
      await expect(done[at]).rejects.toThrow(`failed ${at}`);
      await new Promise(setImmediate);
    },
  };
}

describe('a SendGate', () => {
  it('a SendGate starts the tasks that fit at once, and the others in order as running tasks end', async () => {
    const work = createWork(10, [4, 4, 2, 1, 9, 1]);
    expect(work.begun).toEqual([0, 1, 2]);
    await work.end(0);
    expect(work.begun).toEqual([0, 1, 2, 3]);
    await work.fail(1);
    expect(work.begun).toEqual([0, 1, 2, 3]);
    await work.end(2);
    expect(work.begun).toEqual([0, 1, 2, 3, 4]);
    await work.end(3);
    expect(work.begun).toEqual([0, 1, 2, 3, 4, 5]);
    await work.end(4);
    await work.end(5);
    expect(await work.done[5]).toBe('done 5');
  });

  it('a SendGate runs a task that is larger than its limit alone', async () => {
    const work = createWork(10, [3, 50, 3]);
    expect(work.begun).toEqual([0]);
    await work.end(0);
    expect(work.begun).toEqual([0, 1]);
    await work.end(1);
    expect(work.begun).toEqual([0, 1, 2]);
    await work.end(2);
  });
});
