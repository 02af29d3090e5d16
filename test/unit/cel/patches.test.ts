import { describe, expect, test } from '@jest/globals';
import { CelError, checkStored, compile, environmentOf, Meter, types } from '../../../lib/cel/index.ts';
import { LIBRARIES } from '../../../lib/cel/libraries/index.ts';
import {
  jsonOf,
  nameErrors,
  ObjectValue,
  patchesIn,
  withPatchTypes,
} from '../../../lib/cel/patches/index.ts';
import { loadPatterns } from '../../../lib/kubernetes/schemas/patterns.ts';

const patterns = await loadPatterns();
const regexes = (pattern: string) => patterns.regexOf(pattern);
const variables = new Map([['x', { name: 'x', type: types.DYN }]]);
const environment = withPatchTypes({ ...environmentOf('stored', LIBRARIES), variables });

function evaluated(text: string, cost = 1_000) {
  const checked = checkStored(text, environment);
  const meter = new Meter({ cost });
  const value = compile(checked, { ...environment, regexes }).evaluate(() => null, meter);
  return { type: checked.type, value, cost: meter.cost };
}

const json = (text: string) => jsonOf(evaluated(text).value, new Meter({ cost: 0 }));

describe('Expressions of mutations', () => {
  test.each([
    ['Object{}', {}],
    [
      'Object{spec: Object.spec{replicas: 3, paused: true, ratio: 0.5}}',
      { spec: { replicas: 3, paused: true, ratio: 0.5 } },
    ],
    ['Object{a: null, b: [1, 2], c: {"d": [{"e": "f"}]}}', { a: null, b: [1, 2], c: { d: [{ e: 'f' }] } }],
    ['Object{?a: optional.none(), ?b: optional.of("c")}', { b: 'c' }],
    [
      'Object{a: b"hi", b: timestamp("2020-01-01T00:00:00Z"), c: duration("90s"), d: 7u}',
      { a: 'aGk=', b: '2020-01-01T00:00:00Z', c: '90s', d: 7 },
    ],
  ])('make objects whose fields have any name: %s', (text, expected) => {
    expect(json(text)).toEqual(expected);
  });

  test.each([
    ['Object{}', 'Object'],
    ['Object.spec.template{}', 'Object.spec.template'],
    ['[JSONPatch{op: "add"}]', 'list'],
    ['Object{a: "b"}.a', 'dyn'],
  ])('have the types of Kubernetes: %s', (text, name) => {
    expect(evaluated(text).type.name).toBe(name);
  });

  test('cost as much as in Kubernetes: 40 for each object, besides its parts', () => {
    expect(evaluated('Object{spec: Object.spec{a: 1 + 1}}').cost).toBe(81);
    expect(evaluated('jsonpatch.escapeKey("0123456789a")').cost).toBe(2);
  });

  test('read the fields of objects and of patches', () => {
    expect(evaluated('Object{a: "b"}.a').value).toBe('b');
    expect(evaluated('has(Object{a: "b"}.c)').value).toBe(false);
    expect(evaluated('JSONPatch{op: "add"}.path').value).toBe('');
    expect(evaluated('Object{a: [1]} == Object{a: [1]}').value).toBe(true);
    expect(evaluated('Object.a{} == dyn(Object.b{})').value).toBe(false);
    expect(evaluated('JSONPatch{op: "add", value: 1} == JSONPatch{op: "add", value: 2}').value).toBe(false);
  });

  test('escape keys of pointers', () => {
    expect(evaluated('jsonpatch.escapeKey("example.org/my~label")').value).toBe('example.org~1my~0label');
  });

  test.each([
    ['Objects{}', "undeclared reference to 'Objects'"],
    ['JSONPatch{op: 1}', "expected type of field 'op' is 'string' but provided type is 'int'"],
    ['JSONPatch{what: 1}', "expected type of field 'what' is '' but provided type is 'int'"],
  ])('are refused with wrong types and fields: %s', (text, message) => {
    expect(() => evaluated(text)).toThrow(message);
  });

  test.each([
    ['JSONPatch{op: dyn(1)}', "unexpected type int64 for JSONPatchType 'op' field"],
    ['JSONPatch{what: dyn(1)}', 'unexpected JSONPatchType field: what'],
  ])('end with an error for dynamic values of the wrong type or field: %s', (text, message) => {
    expect(evaluated(text).value).toEqual(new CelError(message));
  });

  test('write integers that JSON cannot hold as texts', () => {
    expect(json('[9007199254740991, 9007199254740993]')).toEqual([9007199254740991, '9007199254740993']);
  });

  test.each([
    ['Object{a: int}', 'a value of type type has no form in JSON'],
    ['Object{a: {1: 2}}', 'a map key of type int is no text'],
    ['Object{a: double("NaN")}', 'NaN is no number of JSON'],
    ['Object{a: optional.of(1)}', 'a value of type optional_type has no form in JSON'],
  ])('have no JSON form for some values: %s', (text, message) => {
    expect(() => json(text)).toThrow(message);
  });

  test('name all object types that do not match the fields around them', () => {
    const { value } = evaluated('Object{spec: Object.wrong{a: [Object.wrong.a{b: {"k": Object.other{}}}]}}');
    expect(value).toBeInstanceOf(ObjectValue);
    expect(nameErrors(value, 'Object', new Meter({ cost: 0 }))).toEqual([
      'unexpected type name "Object.wrong", expected "Object.spec", which matches field name path from root Object type',
      'unexpected type name "Object.wrong.a", expected "Object.spec.a", which matches field name path from root Object type',
      'unexpected type name "Object.other", expected "Object.spec.a.b", which matches field name path from root Object type',
    ]);
  });

  test('make JSON patches, and nothing else is one', () => {
    const patches = patchesIn(evaluated('[JSONPatch{op: "add", path: "/a", value: 1}]').value);
    expect(
      patches?.map((patch) => [patch.text('op'), patch.text('path'), patch.text('from'), patch.value]),
    ).toEqual([['add', '/a', '', 1n]]);
    expect(patchesIn(evaluated('dyn([Object{}])').value)).toBeUndefined();
    expect(patchesIn(evaluated('1').value)).toBeUndefined();
  });

  test('are evaluated without a struct type as before: such a literal has no value', () => {
    const plain = { ...environmentOf('stored', LIBRARIES), variables };
    const structs = new Map([
      [
        'T',
        {
          form: 'object' as const,
          type: types.struct('T'),
          nullable: true,
          minBytes: 0,
          maxElements: undefined,
          fields: new Map(),
        },
      ],
    ]);
    const named = { ...plain, structs, typeNames: new Map([...plain.typeNames, ['T', types.struct('T')]]) };
    const value = compile(checkStored('T{}', named), { ...named, regexes }).evaluate(
      () => null,
      new Meter({ cost: 100 }),
    );
    expect(value).toEqual(new CelError("unknown type 'T'"));
  });
});
