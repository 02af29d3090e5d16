import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, metadataOf } from '../../../../lib/json/index.ts';
import type { MemoryApi } from '../../../support/service/memory-api.ts';
import { apiWithNamespace, applied, configMap, jsonPatch, mutate, mutatingOf } from './support.ts';

const MAPS = '/api/v1/namespaces/a/configmaps';
const ON_MAPS = { resources: ['configmaps'], operations: ['CREATE' as const] };
const LEVELS = 60;

let api: MemoryApi;

beforeEach(async () => {
  api = await apiWithNamespace();
});

/** Variables of which each has the one before it twice: the last one has 2^60 parts. */
const DOUBLED = Array.from({ length: LEVELS }, (_, level) => ({
  name: `v${level}`,
  expression: level === 0 ? '[dyn(1)]' : `[variables.v${level - 1}, variables.v${level - 1}]`,
}));
const LAST = `variables.v${LEVELS - 1}`;

const largeMap = (name: string) =>
  configMap(name, Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, 'x'.repeat(20)])));

describe('a mutating policy is bounded', () => {
  it.each([
    ['in an apply configuration', applied(`Object{x: ${LAST}}`)],
    ['in the value of a JSON patch', jsonPatch(`[JSONPatch{op: "add", path: "/x", value: ${LAST}}]`)],
    ['in an object in it', jsonPatch(`[JSONPatch{op: "add", path: "/x", value: Object{y: ${LAST}}}]`)],
  ])('where a value has more parts than can be counted, %s', async (_where, mutation) => {
    await mutate(api, mutatingOf('doubled', ON_MAPS, [mutation], { variables: DOUBLED }));
    const { status } = await api.send('POST', MAPS, configMap('x'));
    expect([status, (await api.send('GET', `${MAPS}/x`)).status]).toEqual([403, 404]);
  });

  it('where the values of a JSON patch are larger than a client may send', async () => {
    const one = 'JSONPatch{op: "add", path: "/metadata/annotations", value: object.data}';
    const many = jsonPatch(`[${Array.from({ length: 100 }, () => one).join(', ')}]`);
    await mutate(api, mutatingOf('large', ON_MAPS, [many]));
    const { status, body } = await api.send('POST', MAPS, largeMap('x'));
    expect([status, body.message]).toEqual([
      403,
      "policy 'large' with binding 'large' denied request: JSON Patch: it has more than 3145728 bytes",
    ]);
  });

  it('in its error, which does not repeat the values of a large object', async () => {
    const whole = applied('Object{data: Object.data{a: object.data}}');
    await mutate(api, mutatingOf('quoting', ON_MAPS, [whole, whole, whole]));
    const { status, body } = await api.send('POST', MAPS, largeMap('x'));
    expect(status).toBe(403);
    expect(JSON.stringify(body).length).toBeLessThan(8_000);
  });

  it('and otherwise may change much', async () => {
    const copied = jsonPatch('[JSONPatch{op: "add", path: "/metadata/annotations", value: object.data}]');
    await mutate(api, mutatingOf('copying', ON_MAPS, [copied]));
    const made: JsonObject = await api.ask('POST', MAPS, largeMap('x'));
    expect(metadataOf(made).annotations).toEqual(made.data);
  });
});
