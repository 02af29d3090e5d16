import { beforeAll, describe, expect, it } from '@jest/globals';
import { isJsonObject, type JsonObject, objectAt } from '../../../../lib/json/index.ts';
import { type CompiledSchema, compileSchema, type Schema } from '../../../../lib/kubernetes/schemas/index.ts';
import type { Recorded } from '../../../golden/recording.ts';
import { METADATA } from './metadata-rules.ts';
import { answerOf, bodyOf, causesOf, contentOf, RECORDED, toldAs } from './recorded.ts';

/** The schema of a recorded definition. */
function schemaOf(n: number): Schema {
  const recorded = RECORDED.find((each) => each.n === n);
  const { versions } = objectAt(recorded === undefined ? {} : bodyOf(recorded).spec);
  const [version] = Array.isArray(versions) ? versions.filter(isJsonObject) : [];
  return objectAt(objectAt(version?.schema).openAPIV3Schema) as Schema;
}

const WIDGETS = '/apis/g1.example.com/v1/namespaces/crd/widgets';
const GADGETS = '/apis/g2.example.com/v1/gadgets';

/** The recorded requests that created an object, or failed because of its content. */
function created(collection: string): (readonly [string, Recorded])[] {
  return RECORDED.filter(
    ({ method, path, status, body }) =>
      method === 'POST' &&
      path.split('?')[0] === collection &&
      isJsonObject(body) &&
      [201, 422].includes(status),
  )
    .filter((recorded) => objectAt(bodyOf(recorded).metadata).generateName === undefined)
    .filter((recorded) => causesOf(recorded).every((cause) => !/ (kind|metadata\.name): /.test(cause)))
    .map((recorded) => [`${recorded.n} ${recorded.case}`, recorded] as const);
}

/** The replicas of the scale subresource, which the schema does not validate. */
const OF_SCALE = / \.(spec|status)\.replicas: /;

async function expectAsRecorded(schema: CompiledSchema, recorded: Recorded, status: 'dropped' | 'kept') {
  const shaped = schema.shape(bodyOf(recorded));
  const { status: _status, ...rest } = shaped.value;
  const object = status === 'dropped' ? rest : shaped.value;
  const told = causesOf(recorded).filter((cause) => !OF_SCALE.test(cause));
  expect(toldAs(schema.validate(object))).toEqual(told);
  if (recorded.status === 201) expect(contentOf(object)).toEqual(contentOf(answerOf(recorded)));
  const warnings = recorded.answerHeaders?.Warning ?? [];
  const unknown = warnings.filter(
    (warning) => warning.includes('unknown field') && !warning.includes('\\"metadata.'),
  );
  if (recorded.path === WIDGETS) {
    expect(shaped.unknown.map((field) => `299 - "unknown field \\"${field}\\""`)).toEqual(unknown);
  }
}

describe('The objects of a schema with every feature', () => {
  let schema: CompiledSchema;
  beforeAll(async () => {
    schema = await compileSchema(schemaOf(355), METADATA);
  });

  it.each(created(WIDGETS))('a schema judges objects as a kube-apiserver: %s', async (_name, recorded) => {
    await expectAsRecorded(schema, recorded, 'dropped');
  });

  it('shape returns the unknown fields that Strict refuses', () => {
    const [strict] = RECORDED.filter(({ n }) => n === 368);
    const { unknown } = schema.shape(strict === undefined ? {} : bodyOf(strict));
    expect(unknown).toEqual(['junk', 'spec.free.strict.b', 'spec.junk', 'spec.nested.junk']);
  });

  it('validateStatus validates only the status, with error paths below status', () => {
    const old = schema.shape({ spec: {} }).value;
    const object = { ...old, status: { replicas: 'x' } };
    expect(toldAs(schema.validateStatus(object, old))).toEqual([
      'FieldValueTypeInvalid status.replicas: Invalid value: "string": replicas in body must be of type integer: "string"',
    ]);
  });

  it('an update may keep a value that violates the schema if it did not change', () => {
    const old = { spec: { color: 'pink', size: 3 } };
    expect(schema.validate({ spec: { color: 'pink', size: 4 } }, old)).toEqual([]);
    expect(schema.validate({ spec: { color: 'plum', size: 4 } }, old)).toHaveLength(1);
  });

  it.each(['atomic', 'granular'])(
    'a map with map type %s keeps a value that broke the schema before if another value changes',
    async (mapType) => {
      const spec = {
        type: 'object',
        'x-kubernetes-map-type': mapType,
        properties: { color: { type: 'string', maxLength: 3 }, size: { type: 'integer' } },
      };
      const compiled = await compileSchema({ type: 'object', properties: { spec } } as Schema, METADATA);
      const old = { spec: { color: 'pink', size: 3 } };
      expect(compiled.validate({ spec: { color: 'pink', size: 4 } }, old)).toEqual([]);
      expect(compiled.validate({ spec: { color: 'plum', size: 3 } }, old)).toHaveLength(1);
    },
  );

  it('shape does not change its input', () => {
    const given = { spec: { color: 'red', junk: 1, free: { any: [1] } } };
    const before = structuredClone(given);
    const { value } = schema.shape(given);
    expect(given).toEqual(before);
    expect(value).not.toBe(given);
  });

  it('each object gets its own copy of the defaults', () => {
    const [one, other] = [schema.shape({ spec: {} }).value, schema.shape({ spec: {} }).value];
    objectAt(objectAt(one?.spec).nested).deep = 8;
    expect(objectAt(objectAt(other?.spec).nested).deep).toBe(7);
  });
});

describe('The objects of a schema with rules', () => {
  let schema: CompiledSchema;
  beforeAll(async () => {
    schema = await compileSchema(schemaOf(455), METADATA);
  });

  it.each(created(GADGETS))('objects are judged as by a kube-apiserver: %s', async (_name, recorded) => {
    await expectAsRecorded(schema, recorded, 'kept');
  });

  it('the schema validates changes as a kube-apiserver does', () => {
    const changes = RECORDED.filter(({ method, path }) => method === 'PATCH' && path === `${GADGETS}/g1`);
    let object = schema.shape(bodyOf(RECORDED.find(({ n }) => n === 457) as Recorded)).value;
    for (const change of changes) {
      const changed = schema.shape(merged(object, bodyOf(change))).value;
      const errors = schema.validate(changed, object);
      expect([change.n, ...toldAs(errors)]).toEqual([change.n, ...causesOf(change)]);
      if (errors.length === 0) object = changed;
    }
    expect(changes.length).toBe(7);
  });
});

/** Applies a merge patch. */
function merged(object: JsonObject, patch: JsonObject): JsonObject {
  const members = Object.entries(patch).map(([name, value]) => [
    name,
    isJsonObject(value) ? merged(objectAt(object[name]), value) : value,
  ]);
  const all: JsonObject = { ...object, ...Object.fromEntries(members) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}
