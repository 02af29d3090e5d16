import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../../lib/json/index.ts';
import type { UserInfo } from '../../../lib/server/index.ts';
import {
  type Administering,
  administering,
  type Grant,
  grant,
  NAMESPACES,
  SELECTORS,
} from './administering.ts';
import { administer, put, remove, upsert } from './administrator.ts';
import { KINDS } from './kinds.ts';
import { type Telling, ToldWorld } from './told-world.ts';

const WORLDS = Number(process.env.WINNOW_TENANTS ?? 12);
const SEED = Number(process.env.WINNOW_TENANTS_SEED ?? 1);
const TENANT: UserInfo = { username: 'tenant', groups: ['system:authenticated'] };
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const GROUP = 'rbac.authorization.k8s.io';
const SIDES = ['left', 'right'] as const;

/** The kinds with subscriptions. These worlds contain only objects of these kinds. */
const TOLD = [0, 1];
const tellings: readonly Telling[] = TOLD.flatMap((index) => {
  const resource = { group: '', resource: KINDS[index]?.resource ?? '' };
  return (['Own', 'All'] as const).map((namespaces) => ({ resource, namespaces }));
});

const told = <T extends object>(step: T): T =>
  'kind' in step ? { ...step, kind: TOLD[Number(step.kind) % 2] } : step;
const step = fc.oneof(
  { weight: 8, arbitrary: administering.map(told) },
  {
    weight: 2,
    arbitrary: fc.record({
      by: fc.constant('tell' as const),
      selector: fc.constantFrom('', 'team', 'team!=a', 'tier=web'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ by: fc.constant('look' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;
const lives = fc.record({
  grants: fc.array(grant, { minLength: 1, maxLength: 3 }),
  begun: fc.array(administering.map(told), { minLength: 8, maxLength: 16, size: 'max' }),
  steps: fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }),
});

/** Two worlds that differ in objects outside the grants, and the tenant's deliveries from each. */
class ToldTwins {
  readonly worlds: readonly ToldWorld[];
  readonly #grants: readonly Grant[];

  private constructor(worlds: readonly ToldWorld[], grants: readonly Grant[]) {
    this.worlds = worlds;
    this.#grants = grants;
  }

  static async create(tenant: UserInfo, grants: readonly Grant[]): Promise<ToldTwins> {
    const worlds = [await ToldWorld.create(tenant, tellings), await ToldWorld.create(tenant, tellings)];
    const twins = new ToldTwins(worlds, grants);
    await twins.#prepare();
    return twins;
  }

  /** @throws if the deliveries to the tenant differ between the worlds */
  async perform(one: Step): Promise<void> {
    switch (one.by) {
      case 'tell':
        return this.#compare(one, (world) => world.tell((one as { readonly selector: string }).selector));
      case 'look':
        return this.#compare(one, (world) => world.told());
      default:
        return this.#administer(one as Administering);
    }
  }

  async #prepare(): Promise<void> {
    const rule = (apiGroups: string[], resources: string[], verbs: string[]) => ({
      apiGroups,
      resources,
      verbs,
    });
    const seeing = (resources: string[]) => [rule([''], resources, ['get', 'list', 'watch'])];
    const roles: Readonly<Record<string, JsonObject[]>> = {
      everything: [rule(['*'], ['*'], ['*'])],
      pods: seeing(['pods']),
      reader: seeing(['*']),
      telling: [rule(['winnow.dev'], ['subscriptions', 'tallies'], ['*'])],
    };
    for (const name of NAMESPACES) await this.#made('/api/v1/namespaces', { metadata: { name } });
    for (const [name, rules] of Object.entries(roles)) {
      await this.#made(`${RBAC}/clusterroles`, { metadata: { name }, rules });
    }
    await this.#made(`${RBAC}/namespaces/n1/rolebindings`, {
      metadata: { name: 'telling' },
      ...bound('telling'),
    });
    for (const [which, { selector }] of this.#grants.entries()) await this.#grant(which, selector);
  }

  async #administer(one: Administering): Promise<void> {
    switch (one.by) {
      case 'put':
        return this.#both((world) => put(world, one));
      case 'remove':
        return this.#both((world) => remove(world, one));
      case 'ghost':
        for (const [at, side] of SIDES.entries()) {
          const [world, wanted] = [this.worlds[at] as ToldWorld, one[side]];
          if (!(NAMESPACES as readonly string[]).includes(one.namespace)) continue;
          await (wanted === null ? remove(world, one) : put(world, { ...one, ...wanted }));
        }
        return;
      case 'regrant':
        return this.#grant(one.which % this.#grants.length, one.selector);
      case 'revoke':
        return this.#revoke(one.which % this.#grants.length);
      default:
    }
  }

  async #compare(one: Step, ask: (world: ToldWorld) => Promise<unknown>): Promise<void> {
    const [left, right] = [await ask(this.worlds[0] as ToldWorld), await ask(this.worlds[1] as ToldWorld)];
    if (isDeepStrictEqual(left, right)) return;
    throw new DifferenceError(
      `${JSON.stringify(one)}\n left: ${JSON.stringify(left)}\nright: ${JSON.stringify(right)}`,
    );
  }

  async #grant(which: number, selector: number): Promise<void> {
    const { target, body } = this.#grantOf(which);
    const labelSelector = SELECTORS[selector] as unknown as JsonObject;
    await this.#both((world) =>
      upsert(world, { target, name: `grant-${which}`, body: { ...body, labelSelector } }),
    );
  }

  async #revoke(which: number): Promise<void> {
    const { target } = this.#grantOf(which);
    await this.#both((world) =>
      administer(world, { method: 'DELETE', target: `${target}/grant-${which}` }, 404),
    );
  }

  #grantOf(which: number) {
    const { role, namespace } = this.#grants[which] as Grant;
    const grants = namespace === '' ? 'clusteraccessgrants' : `namespaces/${namespace}/accessgrants`;
    return {
      target: `/apis/winnow.dev/v1/${grants}`,
      body: { metadata: { name: `grant-${which}` }, ...bound(role) },
    };
  }

  #made(target: string, body: JsonObject): Promise<void> {
    return this.#both((world) => administer(world, { method: 'POST', target, body }));
  }

  async #both(act: (world: ToldWorld) => Promise<unknown>): Promise<void> {
    for (const world of this.worlds) await act(world);
  }
}

class DifferenceError extends Error {}

function bound(role: string) {
  return {
    roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: GROUP, kind: 'User', name: TENANT.username }],
  };
}

let messages = 0;

const within = (tenant: UserInfo) =>
  fc.asyncProperty(lives, async ({ grants, begun, steps }) => {
    const twins = await ToldTwins.create(tenant, grants);
    for (const one of begun) await twins.perform(one);
    const told: readonly Step[] = [{ by: 'tell', selector: '' }, { by: 'look' }, ...steps, { by: 'look' }];
    for (const one of told) await twins.perform(one);
    for (const world of twins.worlds) expect(world.errors).toEqual([]);
    messages += twins.worlds[0]?.messages ?? 0;
  });

describe('the deliveries and counts of a tenant', () => {
  it('the deliveries do not depend on objects outside the grants', async () => {
    await fc.assert(within(TENANT), { numRuns: WORLDS, seed: SEED, endOnFailure: true });
    expect(messages).toBeGreaterThan(WORLDS);
  });

  it('the deliveries differ without grants, so the worlds do differ', async () => {
    const everybody = { ...TENANT, groups: ['system:masters', ...TENANT.groups] };
    const checked = await fc.check(within(everybody), { numRuns: 5, seed: SEED, endOnFailure: true });
    expect([checked.failed, checked.errorInstance]).toEqual([true, expect.any(DifferenceError)]);
  });
});
