import { beforeEach, describe, expect, it } from '@jest/globals';
import { CONFIG_MAPS, DEFINITIONS, PODS } from '../../fuzz/fuzz-request.ts';
import { createFuzzedApi, type FuzzedApi } from '../../fuzz/fuzzed-api.ts';

const members = (count: number, one: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => one(index)).join();

function definitionOf(spec: unknown) {
  const schema = { type: 'object', properties: { spec } };
  return {
    metadata: { name: 'longs.fuzz.example' },
    spec: {
      group: 'fuzz.example',
      scope: 'Cluster',
      names: { plural: 'longs', kind: 'Long' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

describe('A body that would cost more than its size', () => {
  let api: FuzzedApi;
  beforeEach(async () => {
    api = await createFuzzedApi();
  });

  const send = async (body: string, { path = CONFIG_MAPS, validation = 'Strict' } = {}) => {
    const query = `dryRun=All&fieldValidation=${validation}`;
    const request = { method: 'POST', path: `${path}?${query}`, type: 'application/json', body };
    const answer = await api.send(request);
    return { ...answer, value: JSON.parse(answer.body) };
  };

  it('a body is refused if a key is so long that V8 no longer hashes its path', async () => {
    const fields = members(2_000, (index) => `"k${index}":1`);
    const { status, value } = await send(
      `{"metadata":{"name":"a"},"y":1.5,"${'x'.repeat(17_000)}":{${fields}}}`,
    );
    expect(status).toBe(413);
    expect(value.message).toContain('characters in the path of a field, the limit is 10000');
  });

  it('a body is answered in time if a later duplicate replaces such a key', async () => {
    const fields = members(20_000, (index) => `"k${index}":1`);
    const key = 'x'.repeat(17_000);
    const { status, value } = await send(`{"metadata":{"name":"a"},"y":1.5,"${key}":{${fields}},"${key}":1}`);
    expect(status).toBe(413);
    expect(value.message).toContain('the path of a field');
    const nested = `{"a":{"${key}":{${fields}}},"a":1,"y":1.5,"metadata":{"name":"a"}}`;
    const lost = await send(nested);
    expect(lost).toMatchObject({ status: 400, value: { message: expect.stringContaining('field "a"') } });
  });

  it('a body is refused if many fields have long paths', async () => {
    const fields = members(8_000, (index) => `"k${index}":1`);
    const { status, value } = await send(
      `{"metadata":{"name":"a"},"y":1.5,"${'x'.repeat(9_000)}":{${fields}}}`,
    );
    expect(status).toBe(413);
    expect(value.message).toContain('characters in the paths of its fields, the limit is 67108864');
  });

  it('a body with too many values or levels is refused before it is parsed', async () => {
    const many = await send(`[${members(120_001, () => '[')}`);
    expect(many).toMatchObject({ status: 400, value: { message: expect.stringContaining('500 levels') } });
    const wide = await send(`{"a":[${members(120_001, () => '1')}`);
    expect(wide).toMatchObject({ status: 413, value: { message: expect.stringContaining('120000') } });
  });

  it('the content of strings does not count as values or levels', async () => {
    const text = '[{,'.repeat(70_000);
    const { status } = await send(`{"metadata":{"name":"a"},"data":{"a":"\\"${text}"}}`);
    expect(status).toBe(201);
  });

  it('a body that defaults make too large to store is refused before it is validated', async () => {
    const containers = members(20_000, () => '{}');
    const body = `{"metadata":{"name":"a"},"spec":{"containers":[${containers}]}}`;
    const { status, value } = await send(body, { path: PODS });
    expect(status).toBe(413);
    expect(value.message).toMatch(/^Request entity too large: the object: \d+ bytes, the limit is 1572864$/);
  });

  it('a refusal names at most 100 errors, and the number of the others', async () => {
    const labels = members(300, (index) => `"-${index}":"a"`);
    const { status, value } = await send(`{"metadata":{"name":"a","labels":{${labels}}}}`);
    expect(status).toBe(422);
    expect(value.message).toMatch(/, and 200 more errors\]$/);
    expect(value.details.causes).toHaveLength(100);
  });

  it('a refusal names only errors that fit into 64 KiB', async () => {
    const labels = members(10, (index) => `"-${index}${'a'.repeat(9_000)}":"a"`);
    const { status, value } = await send(`{"metadata":{"name":"a","labels":{${labels}}}}`);
    expect(status).toBe(422);
    expect(value.message).toMatch(/, and \d+ more errors\]$/);
    expect(value.message.length).toBeLessThan(80_000);
  });

  it('a refusal names the first 100 unknown fields, as in Kubernetes', async () => {
    const { status, value } = await send(
      `{"metadata":{"name":"a"},${members(300, (index) => `"x${index}":1`)}}`,
    );
    expect(status).toBe(400);
    expect(value.message.match(/unknown field/g)).toHaveLength(100);
    expect(value.message).toContain('"x99"');
  });

  it('a refusal names the first 100 unknown and duplicate fields together', async () => {
    const twice = members(200, (index) => `"k${index}":"","k${index}":""`);
    const unknown = members(200, (index) => `"x${index}":1`);
    const { status, value } = await send(`{"metadata":{"name":"a"},"data":{${twice}},${unknown}}`);
    expect(status).toBe(400);
    expect(value.message.match(/(unknown|duplicate) field/g)).toHaveLength(100);
  });

  it('a definition with a long regular expression is refused, even if it is one class', async () => {
    const pattern = '[[:'.repeat(4_000);
    const definition = definitionOf({ type: 'string', pattern });
    const { status, value } = await send(JSON.stringify(definition), { path: DEFINITIONS });
    expect(status).toBe(422);
    expect(value.message).toContain('expression too large');
  });

  it('a label selector with more than 256 requirements is refused', async () => {
    const selector = members(300, (index) => `k${index}`);
    const { status, body } = await api.send({ method: 'GET', path: `${PODS}?labelSelector=${selector}` });
    expect(status).toBe(400);
    expect(JSON.parse(body).message).toContain('the label selector has 300 requirements, the limit is 256');
  });

  const sendCustom = async (schema: unknown, spec: unknown) => {
    const body = JSON.stringify(definitionOf(schema));
    await api.send({ method: 'POST', path: DEFINITIONS, type: 'application/json', body });
    const object = { apiVersion: 'fuzz.example/v1', kind: 'Long', metadata: { name: 'a' }, spec };
    return send(JSON.stringify(object), { path: '/apis/fuzz.example/v1/longs' });
  };
  const texts = Array.from({ length: 20_000 }, (_, index) => `v${index}`);

  it('a small custom object with too many large defaults is refused', async () => {
    const a = { type: 'array', items: { type: 'string' }, default: texts };
    const items = { type: 'object', properties: { a } };
    const { status, value } = await sendCustom({ type: 'array', items }, Array(100).fill({}));
    expect(status).toBe(413);
    expect(value.message).toContain('the defaults of the object');
  });

  it('a custom object that compares many values with many allowed ones is refused in time', async () => {
    const items = { type: 'string', enum: texts };
    const { status, value } = await sendCustom({ type: 'array', items }, Array(5_000).fill('a'));
    expect(status).toBe(422);
    expect(value.message).toContain('more errors');
  });

  it('a custom object with many objects that each lack many required fields is refused in time', async () => {
    const items = { type: 'object', required: texts };
    const { status, value } = await sendCustom({ type: 'array', items }, Array(5_000).fill({}));
    expect(status).toBe(422);
    expect(value.message).toContain('more errors');
  });
});
