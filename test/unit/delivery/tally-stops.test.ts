import { describe, expect, it } from '@jest/globals';
import type { SubscribingRules } from '../../../lib/delivery/index.ts';
import type { JsonObject } from '../../../lib/json/index.ts';
import { targetResources } from '../../../lib/kubernetes/resource-types/index.ts';
import { validateTally } from '../../../lib/kubernetes/winnow/index.ts';
import { createTallyWorld } from '../../support/watch/tally-world.ts';

const LONG = 'app in (web,api)';
const LIMIT = 'spec.labelSelector: a selector may take 10 bytes (setting selectorBytes)';

/** Creates a Tally of pods in its namespace. Its selector matches two of three pods. */
async function createCounted(spec: JsonObject = {}) {
  const life = await createTallyWorld();
  const { world, pump, status } = life;
  for (const [name, app] of Object.entries({ a: 'web', b: 'api', c: 'db' })) {
    await world.put(`default/${name}`, { app });
  }
  await life.tally({ labelSelector: LONG, ...spec });
  await pump();
  const underRules = (more: Partial<SubscribingRules>) => {
    world.rules = { ...world.rules, ...more };
    world.reconciler = world.newReconciler();
  };
  return {
    ...life,
    underRules,
    /** Changes the limit of the deployment. */
    limit: (selectorBytes: number, enforced = false) =>
      underRules({ limits: { ...world.rules.limits, selectorBytes }, enforced }),
    condition: async (type: string) =>
      ((await status()).conditions as JsonObject[]).find((one) => one.type === type),
  };
}

describe('a Tally that is older than a limit', () => {
  it('a Tally beyond a new limit continues with a warning until the limit is enforced', async () => {
    const { limit, minutes, condition, status, world } = await createCounted();
    expect(await condition('WithinLimits')).toBeUndefined();
    limit(10);
    await minutes(15);
    expect(await condition('WithinLimits')).toMatchObject({
      status: 'False',
      reason: 'Tolerated',
      message: expect.stringContaining(LIMIT),
    });
    await world.put('default/d', { app: 'web' });
    await minutes(1);
    expect(await status()).toMatchObject({ phase: 'Within', count: 3 });
  });

  it('an enforced limit stops a Tally, which counts again after it meets the limit', async () => {
    const { limit, minutes, condition, status, world, edit, pump, row } = await createCounted();
    limit(10, true);
    await minutes(15);
    expect(await status()).toMatchObject({ phase: 'Suspended', observedGeneration: 1 });
    expect(await status()).not.toHaveProperty('count');
    expect(await condition('WithinLimits')).toMatchObject({
      status: 'False',
      reason: 'Stopped',
      message: expect.stringMatching(
        /selectorBytes.*counting is suspended: the setting enforceLimits is true/,
      ),
    });
    await world.put('default/d', { app: 'web' });
    await minutes(1);
    expect(await row()).toMatchObject({ membership: 'catching-up', suspended: 1 });
    expect(await status()).not.toHaveProperty('count');
    await edit({ labelSelector: 'app=web' });
    await pump();
    expect(await status()).toMatchObject({ phase: 'Within', count: 2, observedGeneration: 2 });
    expect(await condition('WithinLimits')).toBeUndefined();
    limit(4, true);
    await minutes(15);
    expect(await status()).toMatchObject({ phase: 'Suspended' });
    limit(4);
    await minutes(15);
    expect(await status()).toMatchObject({ phase: 'Within', count: 2 });
  });

  it('a stopped Tally is written once, and not again by each reconciliation', async () => {
    const { limit, minutes, status, row } = await createCounted();
    limit(10, true);
    await minutes(15);
    const [told, stored] = [await status(), await row()];
    await minutes(31);
    expect([await status(), await row()]).toEqual([told, stored]);
  });

  it('the rules of queues do not apply to a Tally', async () => {
    const { underRules, minutes, condition } = await createCounted();
    underRules({ bound: { kind: 'organization', id: 'o-abcdefghij' }, enforced: true });
    await minutes(15);
    expect(await condition('WithinLimits')).toBeUndefined();
  });
});

describe('spec.suspend of a Tally', () => {
  it('spec.suspend stops the count, and false starts a new count', async () => {
    const { edit, pump, condition, status, world } = await createCounted({ bounds: { min: 1 } });
    await edit({ suspend: true });
    await pump();
    expect(await status()).toMatchObject({ phase: 'Suspended', observedGeneration: 2 });
    expect(await status()).not.toHaveProperty('count');
    expect(await condition('WithinBounds')).toMatchObject({
      status: 'Unknown',
      reason: 'Suspended',
      message: 'counting is suspended: spec.suspend is true',
    });
    await world.put('default/d', { app: 'web' });
    await world.remove('default/a');
    await world.put('default/e', { app: 'web' });
    await pump();
    expect(await status()).not.toHaveProperty('count');
    await edit({ suspend: false });
    await pump();
    expect(await status()).toMatchObject({ phase: 'Within', count: 3, observedGeneration: 3 });
    await world.put('default/f', { app: 'api' });
    await pump();
    expect(await status()).toMatchObject({ count: 4 });
  });

  it('a Tally that is created suspended does not count', async () => {
    const { edit, pump, status, minutes } = await createCounted({ suspend: true });
    expect(await status()).toMatchObject({ phase: 'Suspended' });
    await minutes(16);
    expect(await status()).not.toHaveProperty('count');
    await edit({ suspend: null });
    await pump();
    expect(await status()).toMatchObject({ phase: 'Within', count: 2 });
  });

  it('spec.suspend also removes the groups', async () => {
    const { edit, pump, status, condition } = await createCounted({ groupBy: ['app'] });
    expect(await status()).toHaveProperty('groups');
    await edit({ suspend: true });
    await pump();
    expect(await status()).not.toHaveProperty('groups');
    expect(await condition('Grouped')).toBeUndefined();
  });

  it('spec.suspend must be true or false', () => {
    const body = (suspend: unknown) =>
      ({ spec: { resource: { resource: 'pods' }, namespaces: 'Own', suspend } }) as JsonObject;
    expect(validateTally(body(true), undefined, targetResources)).toEqual([]);
    expect(validateTally(body('yes'), undefined, targetResources)).toMatchObject([
      { field: 'spec.suspend', type: 'TypeInvalid' },
    ]);
  });
});
