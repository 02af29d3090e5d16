import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../../lib/json/index.ts';
import type { UserInfo } from '../../../../../lib/server/index.ts';
import { AccessApi } from '../../../../support/service/access-api.ts';

const WINNOW = '/apis/winnow.dev/v1';
const MAPS = '/api/v1/namespaces/default/configmaps';
const HISTORIES = `${WINNOW}/namespaces/default/histories?fieldSelector=resource%3Dconfigmaps`;
const MERGE = 'application/merge-patch+json';
const ADMIN: UserInfo = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };
const JANE: UserInfo = { username: 'jane', groups: ['system:authenticated'] };
const RUNS = Number(process.env.WINNOW_HISTORY_TENANTS ?? 100);
/** The pasts that share a pair of worlds. A world takes longer to make than a past. */
const TOGETHER = 20;

type Act = 'create' | 'change' | 'hide' | 'reveal' | 'delete';

interface Step {
  readonly name: 'm' | 'n';
  readonly act: Act;
  readonly value: number;
  /** How many hidden changes each world has before this step. */
  readonly hidden: readonly [number, number];
}

const step: fc.Arbitrary<Step> = fc.record({
  name: fc.constantFrom('m', 'n'),
  act: fc.constantFrom<Act>('create', 'create', 'change', 'change', 'hide', 'reveal', 'delete'),
  value: fc.integer({ min: 0, max: 9 }),
  hidden: fc.tuple(fc.nat(2), fc.nat(2)),
});

/** Two worlds that differ only in objects, lives and states that jane may not see. */
class Twins {
  readonly #worlds: readonly AccessApi[];
  #runs = 0;

  private constructor(worlds: readonly AccessApi[]) {
    this.#worlds = worlds;
  }

  static async create(): Promise<Twins> {
    const worlds = [await AccessApi.create(), await AccessApi.create()];
    for (const world of worlds) {
      const { status } = await world.as(ADMIN)('POST', `${WINNOW}/clusteraccessgrants`, {
        metadata: { name: 'jane' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
        labelSelector: { matchLabels: { team: 'a' } },
      });
      expect(status).toBe(201);
    }
    return new Twins(worlds);
  }

  get isUsedUp(): boolean {
    return this.#runs >= TOGETHER;
  }

  /** Performs a past in both worlds, and returns what jane sees of it in each. */
  async live(steps: readonly Step[], limit: number): Promise<readonly JsonValue[]> {
    this.#runs += 1;
    const suffix = `-${this.#runs}`;
    const seen: JsonValue[] = [];
    for (const [at, world] of this.#worlds.entries()) {
      for (const one of steps) {
        for (let count = one.hidden[at] ?? 0; count > 0; count -= 1) {
          await disturb(world, `${one.name}${suffix}`);
        }
        await perform(world, one, `${one.name}${suffix}`);
      }
      const paths = ['m', 'n'].flatMap((name) => [
        `${MAPS}/${name}${suffix}/history`,
        `${HISTORIES},metadata.name%3D${name}${suffix}`,
      ]);
      const sets = [`&labelSelector=run%3Dr${suffix}`, `&all=true&labelSelector=run%3Dr${suffix},team%3Db`];
      const pages: JsonValue[] = [];
      for (const path of [...paths, ...sets.map((set) => `${HISTORIES}${set}`)]) {
        pages.push(await pagesOf(world, path, limit));
      }
      seen.push(canonical(pages));
    }
    return seen;
  }
}

async function perform(world: AccessApi, { act, value }: Step, name: string): Promise<void> {
  const admin = world.as(ADMIN);
  const patch = (body: JsonObject) => admin('PATCH', `${MAPS}/${name}`, body, MERGE);
  const labels = { team: 'a', run: `r${name.slice(1)}` };
  switch (act) {
    case 'create':
      await admin('POST', MAPS, { metadata: { name, labels }, data: { value: `${value}` } });
      return;
    case 'change': {
      // A hidden object is only changed where that is hidden.
      const { body } = await admin('GET', `${MAPS}/${name}`);
      if (body.metadata?.labels?.team === 'a') await patch({ data: { value: `${value}` } });
      return;
    }
    case 'hide':
      await patch({ metadata: { labels: { team: 'b' } } });
      return;
    case 'reveal':
      await patch({ metadata: { labels: { team: 'a' } }, data: { value: `${value}`, hidden: null } });
      return;
    case 'delete':
      await admin('DELETE', `${MAPS}/${name}`);
  }
}

/** A change that jane may not see: of a hidden object, of a hidden life between two others, or of another object. */
async function disturb(world: AccessApi, name: string): Promise<void> {
  const admin = world.as(ADMIN);
  const { status, body } = await admin('GET', `${MAPS}/${name}`);
  if (status === 404) {
    const { status: made } = await admin('POST', MAPS, { metadata: { name, labels: { team: 'b' } } });
    expect(made).toBe(201);
    await admin('DELETE', `${MAPS}/${name}`);
  } else if (body.metadata.labels.team === 'b') {
    const hidden = `${Number(body.data?.hidden ?? 0) + 1}`;
    await admin('PATCH', `${MAPS}/${name}`, { data: { hidden } }, MERGE);
  } else {
    const ghost = { metadata: { name: `ghost-${name}`, labels: { team: 'b', run: 'x' } } };
    await admin('POST', MAPS, ghost);
    await admin('DELETE', `${MAPS}/ghost-${name}`);
  }
}

/** All pages of a history for jane. A page without a token is the last one. */
async function pagesOf(world: AccessApi, path: string, limit: number): Promise<JsonValue> {
  const pages: JsonValue[] = [];
  const glue = path.includes('?') ? '&' : '?';
  for (let token = ''; ; ) {
    const { status, body } = await world.as(JANE)('GET', `${path}${glue}limit=${limit}&continue=${token}`);
    pages.push([status, body]);
    if (body.metadata?.continue === undefined) return pages;
    token = body.metadata.continue;
  }
}

const VERSIONS = ['resourceVersion', 'previousResourceVersion'];

/** Numbers resourceVersions and uids by their first appearance, and leaves out times and the texts of tokens. */
function canonical(value: JsonValue): JsonValue {
  const known = new Map<JsonValue, string>();
  const nameOf = (one: JsonValue) => {
    const name = known.get(one) ?? `<${known.size}>`;
    known.set(one, name);
    return name;
  };
  const shown = (one: JsonValue, key: string): JsonValue => {
    if (Array.isArray(one)) return one.map((each) => shown(each, key));
    if (!isJsonObject(one)) {
      if (key === 'time' || key === 'creationTimestamp') return '<time>';
      if (key === 'continue') return '<token>';
      return key === 'uid' || VERSIONS.includes(key) ? nameOf(one) : one;
    }
    const { metadata, ...rest } = one;
    // The resourceVersion of a list is that of the collection, which every write moves on.
    const own = 'items' in one && isJsonObject(metadata) ? { ...metadata, resourceVersion: '' } : metadata;
    const all = own === undefined ? rest : { ...rest, metadata: own };
    return Object.fromEntries(Object.entries(all).map(([name, each]) => [name, shown(each ?? null, name)]));
  };
  return shown(value, '');
}

describe('History for a user with limited access', () => {
  it('two worlds that differ only in what the grants hide give the same pages', async () => {
    let twins = await Twins.create();
    const property = fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 9, size: 'max' }),
      fc.integer({ min: 1, max: 4 }),
      async (steps, limit) => {
        if (twins.isUsedUp) twins = await Twins.create();
        const [left, right] = await twins.live(steps, limit);
        expect(left).toEqual(right);
      },
    );
    await fc.assert(property, { numRuns: RUNS, seed: 1, endOnFailure: true });
  });
});
