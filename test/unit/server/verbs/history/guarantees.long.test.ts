import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type JsonObject, jsonEquals, metadataOf, objectAt } from '../../../../../lib/json/index.ts';
import { applyPatch } from '../../../../../lib/kubernetes/patch/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../../support/service/memory-api.ts';

const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const HISTORIES = '/apis/winnow.dev/v1/histories?fieldSelector=resource%3Dpoddisruptionbudgets.policy';
const MERGE = 'application/merge-patch+json';
const RUNS = 1_000;

type Step = {
  readonly name: 'm' | 'n';
  readonly act: 'create' | 'label' | 'spec' | 'status' | 'same' | 'delete';
  readonly team: 'a' | 'b' | null;
  readonly value: number;
};

const step: fc.Arbitrary<Step> = fc.record({
  name: fc.constantFrom('m', 'n'),
  act: fc.constantFrom('create', 'create', 'label', 'label', 'spec', 'status', 'status', 'same', 'delete'),
  team: fc.constantFrom('a', 'b', null),
  value: fc.integer({ min: 0, max: 3 }),
});

/** A change as its writer knows it. */
interface Known {
  readonly rv: string;
  readonly name: string;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/** A past, and what its writers know of it: oldest first. */
async function lived(api: MemoryApi, steps: readonly Step[]): Promise<readonly Known[]> {
  const present = new Map<string, JsonObject>();
  const changes: Known[] = [];
  for (const one of steps) {
    const { name } = one;
    const before = present.get(name);
    const [method, path, body] = requestOf(one);
    const { status, body: answer } = await api.send(
      method,
      path,
      body,
      method === 'PATCH' ? MERGE : undefined,
    );
    if (status >= 300) continue;
    const after = method === 'DELETE' ? undefined : answer;
    if (after !== undefined && versionOf(after) === versionOf(before)) continue;
    present.delete(name);
    if (after !== undefined) present.set(name, after);
    const rv = versionOf(after) ?? String(await api.memory.world.store.head('policy/poddisruptionbudgets'));
    changes.push({ rv, name, before, after });
  }
  return changes;
}

function requestOf({ name, act, team, value }: Step): [string, string, JsonObject?] {
  switch (act) {
    case 'create':
      return [
        'POST',
        BUDGETS,
        { metadata: { name, labels: team === null ? {} : { team } }, spec: { minAvailable: 1 } },
      ];
    case 'label':
      return ['PATCH', `${BUDGETS}/${name}`, { metadata: { labels: { team } } }];
    case 'spec':
      return ['PATCH', `${BUDGETS}/${name}`, { spec: { minAvailable: value } }];
    case 'status':
      return ['PATCH', `${BUDGETS}/${name}/status`, { status: { currentHealthy: value } }];
    case 'same':
      return ['PATCH', `${BUDGETS}/${name}`, {}];
    case 'delete':
      return ['DELETE', `${BUDGETS}/${name}`];
  }
}

const versionOf = (object: JsonObject | undefined) =>
  object && (metadataOf(object).resourceVersion as string | undefined);

/** The object without what a patch leaves out. */
function plain(object: JsonObject): JsonObject {
  const { managedFields: _managed, resourceVersion: _version, ...metadata } = metadataOf(object);
  return { ...object, metadata };
}

function isMain({ before, after }: Known): boolean {
  if (before === undefined || after === undefined) return true;
  const [was, is] = [before, after].map((object) => ({ ...plain(object), status: {} }));
  return !jsonEquals(was ?? {}, is ?? {});
}

/** All items of a history, in pages. */
async function itemsOf(api: MemoryApi, path: string, limit: number): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  const glue = path.includes('?') ? '&' : '?';
  for (let token = ''; ; ) {
    const { status, body } = await api.send(
      'GET',
      `${path}${glue}states=true&limit=${limit}&continue=${token}`,
    );
    if (status === 404) return [];
    if (status !== 200) throw new Error(JSON.stringify(body));
    items.push(...(body.items as JsonObject[]));
    const { continue: more } = metadataOf(body);
    if (more === undefined) return items;
    token = String(more);
  }
}

const shown = ({ resourceVersion, before, after }: JsonObject) => [resourceVersion, before, after];
const expected = ({ rv, before, after }: Known) => [rv, before, after];

/** The newest two lives of a name, newest first. Earlier ones are not linked. */
function newestLives(changes: readonly Known[], name: string): Known[] {
  const own = changes.filter((one) => one.name === name).toReversed();
  const births = own.flatMap(({ before }, index) => (before === undefined ? [index] : []));
  // A name that exists has its present life and the one before; a deleted one has one life.
  const lives = own[0]?.after === undefined ? 1 : 2;
  const last = births[lives - 1];
  return last === undefined ? own : own.slice(0, last + 1);
}

const teamOf = (object: JsonObject | undefined) => objectAt(metadataOf(object ?? {}).labels).team;

function withinTeam(changes: readonly Known[]) {
  return changes.toReversed().flatMap((one) => {
    const [was, is] = [teamOf(one.before) === 'a', teamOf(one.after) === 'a'];
    if (!was && !is) return [];
    return [[was && is ? 'Changed' : is ? 'Entered' : 'Left', ...expected(one)]];
  });
}

function expectPatches(items: readonly JsonObject[]): void {
  for (const { before, after, patch } of items) {
    if (before === undefined || after === undefined) continue;
    const patched = applyPatch({
      contentType: 'application/json-patch+json',
      patch: Buffer.from(JSON.stringify(patch)),
      target: plain(objectAt(before)),
      type: { builtin: true },
      message: undefined,
    });
    expect(patched).toEqual(plain(objectAt(after)));
  }
}

describe('History, for any past', () => {
  it('history has each change once, in order, with the states that the writers know', async () => {
    const past = fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 14, size: 'max' }),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom(undefined, 7_000),
      async (steps, limit, maximumBytes) => {
        const api = await createMemoryApi(1, undefined, maximumBytes === undefined ? {} : { maximumBytes });
        const changes = await lived(api, steps);
        for (const name of ['m', 'n']) {
          const own = newestLives(changes, name);
          const all = await itemsOf(api, `${BUDGETS}/${name}/history?all=true`, limit);
          expect(all.map(shown)).toEqual(own.map(expected));
          expectPatches(all);
          const main = await itemsOf(api, `${BUDGETS}/${name}/history`, limit);
          const mains = own.filter(isMain);
          expect(main.map(({ resourceVersion }) => resourceVersion)).toEqual(mains.map(({ rv }) => rv));
          for (const items of [all, main]) {
            for (const [index, { previousResourceVersion, type }] of items.entries()) {
              const next = type === 'Created' ? undefined : items[index + 1]?.resourceVersion;
              expect(previousResourceVersion).toBe(next);
            }
          }
        }
        const whole = await itemsOf(api, `${HISTORIES}&all=true`, limit);
        expect(whole.map(shown)).toEqual(changes.toReversed().map(expected));
        const main = await itemsOf(api, HISTORIES, limit);
        expect(main.map(shown)).toEqual(changes.toReversed().filter(isMain).map(expected));
        const set = await itemsOf(api, `${HISTORIES}&all=true&labelSelector=team%3Da`, limit);
        expect(set.map((item) => [item.type, ...shown(item)])).toEqual(withinTeam(changes));
      },
    );
    await fc.assert(past, { numRuns: RUNS, seed: 1 });
  });
});
