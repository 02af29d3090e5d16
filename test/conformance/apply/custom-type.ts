import type { JsonValue } from '../../../lib/json/index.ts';
import { deducedShape, type Shape } from '../../../lib/kubernetes/apply/index.ts';

/**
 * A type in the form of structured-merge-diff. `deduced` is a type that structured-merge-diff deduces from the value.
 */
export interface SchemaType {
  readonly scalar?: 'string' | 'numeric' | 'boolean' | 'untyped';
  readonly list?: {
    readonly elementRelationship: 'atomic' | 'associative';
    readonly keys?: readonly string[];
    readonly elementType: SchemaType;
  };
  readonly map?: {
    readonly elementRelationship?: 'atomic';
    readonly fields?: readonly SchemaField[];
    readonly elementType?: SchemaType;
  };
  readonly namedType?: string;
}

interface SchemaField {
  readonly name: string;
  readonly type: SchemaType;
  readonly default?: JsonValue;
}

export const CUSTOM_TYPE = 'thing';
const DEDUCED: SchemaType = { namedType: '__untyped_deduced_' };
const TEXT: SchemaType = { scalar: 'string' };
const NUMBER: SchemaType = { scalar: 'numeric' };

const setOf = (elementType: SchemaType): SchemaType => ({
  list: { elementRelationship: 'associative', elementType },
});
const listOf = (elementType: SchemaType): SchemaType => ({
  list: { elementRelationship: 'atomic', elementType },
});
const objectOf = (types: Record<string, SchemaType>): SchemaType => ({
  map: { fields: Object.entries(types).map(([name, type]) => ({ name, type })) },
});

const ELEMENT: SchemaType = {
  map: {
    fields: [
      { name: 'k', type: TEXT },
      { name: 'p', type: NUMBER, default: 1 },
      { name: 'v', type: TEXT },
      { name: 'tags', type: setOf(TEXT) },
      { name: 'whole', type: { map: { elementRelationship: 'atomic', elementType: TEXT } } },
    ],
  },
};

const KEYED: SchemaType = {
  list: { elementRelationship: 'associative', keys: ['k', 'p'], elementType: ELEMENT },
};

const SPEC = objectOf({
  text: TEXT,
  flag: { scalar: 'boolean' },
  texts: setOf(TEXT),
  numbers: setOf(NUMBER),
  any: setOf({ scalar: 'untyped' }),
  order: listOf(objectOf({ a: TEXT, b: NUMBER })),
  keyed: KEYED,
  nested: {
    list: {
      elementRelationship: 'associative',
      keys: ['name'],
      elementType: objectOf({ name: TEXT, inner: KEYED, free: DEDUCED }),
    },
  },
  map: { map: { elementType: TEXT } },
  maps: { map: { elementType: objectOf({ a: TEXT, set: setOf(TEXT) }) } },
  lists: { map: { elementType: KEYED } },
  atom: { map: { elementRelationship: 'atomic', fields: [{ name: 'a', type: TEXT }], elementType: NUMBER } },
  free: DEDUCED,
});

const META = objectOf({
  name: TEXT,
  uid: TEXT,
  labels: { map: { elementType: TEXT } },
  annotations: { map: { elementType: TEXT } },
  finalizers: setOf(TEXT),
  managedFields: listOf(DEDUCED),
});

/** A kind with every sort of list, map and scalar, also nested. */
export const CUSTOM: SchemaType = objectOf({
  apiVersion: TEXT,
  kind: TEXT,
  metadata: META,
  spec: SPEC,
  status: objectOf({ phase: TEXT, conditions: KEYED, free: DEDUCED }),
});

/** The schema for the oracle, as JSON, which is valid YAML. */
export const CUSTOM_SCHEMA = JSON.stringify({
  types: [{ name: CUSTOM_TYPE, ...CUSTOM }, ...untypedTypes()],
});

/** The same type for Winnow. */
export function shapeOfType({ scalar, list, map, namedType }: SchemaType): Shape {
  if (namedType !== undefined) return deducedShape;
  if (list !== undefined) {
    const { elementRelationship, keys = [], elementType } = list;
    return { list: { atomic: elementRelationship === 'atomic', keys, element: shapeOfType(elementType) } };
  }
  if (map === undefined) return { scalar: scalar ?? 'untyped' };
  const fields = new Map((map.fields ?? []).map((field) => [field.name, field]));
  const shapes = new Map([...fields].map(([name, { type }]) => [name, shapeOfType(type)]));
  return {
    map: {
      atomic: map.elementRelationship === 'atomic',
      field: (name) => shapes.get(name),
      ...(map.elementType === undefined ? {} : { rest: shapeOfType(map.elementType) }),
      keyDefault: (name) => fields.get(name)?.default,
    },
  };
}

/** The types that structured-merge-diff uses for fields without a schema; see {@link deducedShape}. */
function untypedTypes(): object[] {
  const atomic = { namedType: '__untyped_atomic_' };
  const list = { elementType: atomic, elementRelationship: 'atomic' };
  return [
    {
      name: '__untyped_atomic_',
      scalar: 'untyped',
      list,
      map: { elementType: atomic, elementRelationship: 'atomic' },
    },
    {
      name: '__untyped_deduced_',
      scalar: 'untyped',
      list,
      map: { elementType: DEDUCED, elementRelationship: 'separable' },
    },
  ];
}
