import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '../../../../lib/json/index.ts';
import {
  compileSchema,
  type Schema,
  type ValidationRule,
  validateDefinition,
} from '../../../../lib/kubernetes/schemas/index.ts';
import { METADATA } from './metadata-rules.ts';
import { toldAs } from './recorded.ts';

/** A rule whose estimate exceeds the limit of one rule, but not that of a definition. */
const DEAR = [...'abcdefg'].reduceRight(
  (inner, name) => `[0, 0, 0, 0, 0, 0, 0, 0, 0, 0].exists(${name}, ${inner})`,
  'true',
);

function schemaOf(rules: readonly ValidationRule[], more: Schema = {}): Schema {
  const spec: Schema = {
    type: 'object',
    properties: { count: { type: 'integer' } },
    'x-kubernetes-validations': rules,
    ...more,
  };
  return { type: 'object', properties: { spec } };
}

function definitionOf(...schemas: readonly Schema[]): JsonObject {
  const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
  const versions = schemas.map((schema, at) => ({
    name: `v${at + 1}`,
    served: true,
    storage: at === 0,
    schema: { openAPIV3Schema: schema },
  }));
  return {
    metadata: { name: 'things.example.com' },
    spec: { group: 'example.com', names, scope: 'Namespaced', versions },
    status: { acceptedNames: names, storedVersions: ['v1'] },
  } as unknown as JsonObject;
}

async function errorsOf(definition: JsonObject, old?: JsonObject): Promise<string[]> {
  return toldAs(await validateDefinition(definition, METADATA, old));
}

describe('an update of a definition', () => {
  const dear = definitionOf(schemaOf([{ rule: DEAR }]));

  it('a new definition must not have a rule that may cost too much', async () => {
    expect(await errorsOf(dear)).toEqual([
      expect.stringMatching(/validations\[0\]\.rule: Forbidden: estimated rule cost exceeds budget/),
    ]);
  });

  it('a version with an unchanged schema keeps a rule and a message that may cost too much', async () => {
    expect(await errorsOf(dear, dear)).toEqual([]);
    const message = definitionOf(schemaOf([{ rule: 'true', messageExpression: `${DEAR} ? 'a' : 'b'` }]));
    expect(await errorsOf(message)).toHaveLength(1);
    expect(await errorsOf(message, message)).toEqual([]);
  });

  it('a version whose schema changed, or that is new, must not have a rule that may cost too much', async () => {
    const changed = schemaOf([{ rule: DEAR }], { description: 'changed' });
    expect(await errorsOf(definitionOf(changed), dear)).toHaveLength(1);
    const more = definitionOf(schemaOf([{ rule: DEAR }]), changed);
    expect(await errorsOf(more, dear)).toEqual([expect.stringContaining('spec.versions[1].schema')]);
  });

  it('all rules of an unchanged schema together must not cost too much', async () => {
    const many = definitionOf(schemaOf(Array.from({ length: 8 }, () => ({ rule: DEAR }))));
    expect(await errorsOf(many, many)).toContainEqual(
      expect.stringContaining('estimated rule cost total for entire OpenAPIv3 schema exceeds budget'),
    );
  });

  it('a rule that the stored definition has may use functions that a new rule must not use', async () => {
    const rule = "semver('1.2.3').major() == 1";
    const stored = definitionOf(schemaOf([{ rule }]));
    const changed = definitionOf(schemaOf([{ rule }, { rule: 'true' }]));
    expect(await errorsOf(changed)).toEqual([expect.stringContaining("undeclared reference to 'semver'")]);
    expect(await errorsOf(changed, stored)).toEqual([]);
  });
});

describe('the places of rules', () => {
  const own: Schema = { 'x-kubernetes-validations': [{ rule: 'true' }] };

  it.each<[string, Schema]>([
    ['allOf[0]', { allOf: [own] }],
    ['anyOf[0]', { anyOf: [own] }],
    ['oneOf[0]', { oneOf: [own] }],
    ['not', { not: own }],
    ['allOf[0].properties[count]', { allOf: [{ properties: { count: own } }] }],
    ['allOf[0].anyOf[0]', { allOf: [{ anyOf: [own] }] }],
  ])('a rule in %s is refused, also if the stored definition has it', async (path, more) => {
    const definition = definitionOf(schemaOf([], more));
    const refused = [
      `FieldValueForbidden spec.validation.openAPIV3Schema.properties[spec].${path}.x-kubernetes-validations: Forbidden: must be empty to be structural`,
    ];
    expect(await errorsOf(definition)).toEqual(refused);
    expect(await errorsOf(definition, definition)).toEqual(refused);
  });

  it('the kind of an object may have rules, which are evaluated', async () => {
    const kind: Schema = { type: 'string', 'x-kubernetes-validations': [{ rule: "self != 'Other'" }] };
    const schema: Schema = { type: 'object', properties: { kind } };
    expect(await errorsOf(definitionOf(schema))).toEqual([]);
    const compiled = await compileSchema(schema, METADATA);
    const broken = ['FieldValueInvalid kind: Invalid value: "string": failed rule: self != \'Other\''];
    expect(toldAs(compiled.validate({ kind: 'Other' }, { kind: 'Other' }))).toEqual(broken);
  });

  it('a rule of a value with two types must be a bool', async () => {
    const either: Schema = {
      'x-kubernetes-int-or-string': true,
      'x-kubernetes-validations': [{ rule: 'self' }],
    };
    expect(await errorsOf(definitionOf({ type: 'object', properties: { either } }))).toEqual([
      expect.stringContaining('cel expression must evaluate to a bool'),
    ]);
  });
});

describe('rules and unchanged values', () => {
  const PARTS: Schema = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: { type: 'object', properties: { name: { type: 'string' } } },
  };

  async function judged(spec: Schema, value: JsonValue, old: JsonValue): Promise<string[]> {
    const compiled = await compileSchema({ type: 'object', properties: { spec } }, METADATA);
    return toldAs(compiled.validate({ spec: value }, { spec: old }));
  }

  it('a list of the type map is unchanged if only the order of its elements changed', async () => {
    const rules = { 'x-kubernetes-validations': [{ rule: 'size(self) > 5' }] };
    const [a, b] = [{ name: 'a' }, { name: 'b' }];
    expect(await judged({ ...PARTS, ...rules }, [a, b], [b, a])).toEqual([]);
    expect(
      await judged({ ...PARTS, ...rules, 'x-kubernetes-list-type': 'atomic' }, [a, b], [b, a]),
    ).toHaveLength(1);
  });

  it('a rule without a value refuses an unchanged object, too', async () => {
    const spec = schemaOf([{ rule: '1 / self.count > 0' }]).properties?.spec ?? {};
    expect(await judged(spec, { count: 0 }, { count: 0 })).toEqual([
      'FieldValueInvalid spec: Invalid value: "object": division by zero evaluating rule: 1 / self.count > 0',
    ]);
  });

  it('an object with fields that its schema does not declare counts as changed', async () => {
    const open = { 'x-kubernetes-preserve-unknown-fields': true } as const;
    const spec = schemaOf([{ rule: 'self.count > 1' }], open).properties?.spec ?? {};
    expect(await judged(spec, { count: 1 }, { count: 1 })).toEqual([]);
    expect(await judged(spec, { count: 1, more: 1 }, { count: 1, more: 1 })).toHaveLength(1);
  });

  it('a message sees the old value only if a rule beside it uses the old value', async () => {
    const told = { rule: 'self.count > 1', messageExpression: "'was ' + string(oldSelf.count)" };
    const specOf = (...rules: ValidationRule[]) => schemaOf(rules).properties?.spec ?? {};
    const [value, old] = [{ count: 1 }, { count: 0 }];
    expect(await judged(specOf(told), value, old)).toEqual([
      'FieldValueInvalid spec: Invalid value: "object": failed rule: self.count > 1',
    ]);
    expect(await judged(specOf(told, { rule: 'self == self || oldSelf == self' }), value, old)).toEqual([
      'FieldValueInvalid spec: Invalid value: "object": was 0',
    ]);
  });

  it('lists of the type map equal the old value that a rule takes out of an optional', async () => {
    const rule = '!oldSelf.hasValue() || self == oldSelf.value()';
    const spec = { ...PARTS, 'x-kubernetes-validations': [{ rule, optionalOldSelf: true }] };
    expect(await judged(spec, [{ name: 'a' }], [{ name: 'a' }])).toEqual([]);
  });
});
