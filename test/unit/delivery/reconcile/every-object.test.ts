import { describe, expect, it } from '@jest/globals';
import { everyObject } from '../../../../lib/delivery/reconcile/every-object.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';

describe('everyObject', () => {
  it.each([0, 200, 401])('everyObject reads all of %d objects once', async (count) => {
    const { store } = createMemoryStore();
    for (let at = 0; at < count; at += 1) {
      const metadata = { namespace: '', name: `n${at}`, uid: `${at}` };
      await store.write('test/things', metadata, () => ({ kind: 'put', body: { metadata } }));
    }
    const uids = (await everyObject(store, 'test/things')).map(({ uid }) => uid);
    expect(new Set(uids).size).toBe(count);
    expect(uids).toHaveLength(count);
  });
});
