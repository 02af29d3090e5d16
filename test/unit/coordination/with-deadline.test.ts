import { describe, expect, it } from '@jest/globals';
import { withDeadline } from '../../../lib/coordination/with-deadline.ts';
import type { Store } from '../../../lib/store/index.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';
import { seeded } from '../../support/watch/memory-world.ts';

describe('The tools of an invocation', () => {
  it('The table and the store end with the invocation', () => {
    const memory = createMemoryStore();
    const limited: AbortSignal[] = [];
    const store: Store = {
      ...memory.store,
      within: (deadline) => {
        limited.push(deadline);
        return memory.store;
      },
    };
    const options = { ...memory, store, random: seeded(1) };
    const { signal } = new AbortController();
    const ending = withDeadline(options, signal);
    expect([ending.table.deadline, ending.store]).toEqual([signal, memory.store]);
    expect(limited).toEqual([signal]);
    const endless = withDeadline(options);
    expect(endless.store).toBe(store);
    expect(endless.table.deadline).toBeUndefined();
    expect(limited).toEqual([signal]);
  });
});
