import { expect, it } from '@jest/globals';
import {
  parseState,
  sinceStored,
  updateState,
} from '../../../../lib/delivery/subscription/subscription-state.ts';
import { targetOf } from '../../../support/watch/members.ts';
import { createReconciling } from '../../../support/watch/reconciling.ts';

it('a late update of a state does not undo a later one', async () => {
  const { reconcile, set, world, row, begun } = await createReconciling();
  await begun({ queueUrl: '' });
  const begin = parseState((await row()) ?? fail(), targetOf('pods'));
  await reconcile();
  await set({ membership: 'catching-up', attempt: 1 });
  await reconcile();
  const { queueUrl, stored } = parseState((await row()) ?? fail(), targetOf('pods'));
  expect([queueUrl === '', stored > 1]).toEqual([false, true]);

  const late = { queueUrl: '', stored: 1 };
  expect(await updateState(world.table, begin, late, [sinceStored(begin)])).toBe(false);
  expect((await row())?.queueUrl).toBe(queueUrl);
});

it('an update of a state succeeds again if its first request got no answer', async () => {
  const { world, row, begun } = await createReconciling();
  await begun();
  for (const stored of [0, 1, 2]) {
    const before = parseState((await row()) ?? fail(), targetOf('pods'));
    expect(before.stored).toBe(stored);
    const next = { position: 100 + stored, stored: stored + 1 };
    expect(await updateState(world.table, before, next, [sinceStored(before)])).toBe(true);
    expect(await updateState(world.table, before, next, [sinceStored(before)])).toBe(true);
  }
});

function fail(): never {
  throw new Error('no row');
}
