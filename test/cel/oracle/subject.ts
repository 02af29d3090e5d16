import type { Environment } from '../../../lib/cel/declarations.ts';
import { environmentOf } from '../../../lib/cel/environment/index.ts';
import { LIBRARIES } from '../../../lib/cel/libraries/index.ts';
import type { Shape, ShapeField, ShapeForm } from '../../../lib/cel/shape.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  STRING,
  struct,
  TIMESTAMP,
  type Type,
} from '../../../lib/cel/types.ts';
import { fromJson, type Value } from '../../../lib/cel/values/index.ts';

/**
 * The object that expressions of the oracle read, with a field for each kind of value. kube-apiserver gets the same
 * shape as an OpenAPI schema.
 */

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

const LEAVES: Readonly<Record<string, readonly [type: Type, schema: { readonly [name: string]: Json }]>> = {
  string: [STRING, { type: 'string' }],
  bytes: [BYTES, { type: 'string', format: 'byte' }],
  duration: [DURATION, { type: 'string', format: 'duration' }],
  date: [TIMESTAMP, { type: 'string', format: 'date' }],
  'date-time': [TIMESTAMP, { type: 'string', format: 'date-time' }],
  double: [DOUBLE, { type: 'number' }],
  int: [INT, { type: 'integer' }],
  bool: [BOOL, { type: 'boolean' }],
  'int-or-string': [DYN, { 'x-kubernetes-int-or-string': true }],
};

function leaf(form: ShapeForm, maxElements?: number): Shape {
  return { form, type: LEAVES[form]?.[0], nullable: false, minBytes: 1, maxElements };
}

function text(maxLength: number): Shape {
  return leaf('string', maxLength * 4);
}

function list(element: Shape, maxElements: number, more: Partial<Shape> = {}): Shape {
  const type = listOf(element.type ?? DYN);
  return { form: 'list', type, nullable: false, minBytes: 2, maxElements, element, ...more };
}

function map(element: Shape, maxElements: number): Shape {
  const type = mapOf(STRING, element.type ?? DYN);
  return { form: 'map', type, nullable: false, minBytes: 2, maxElements, element };
}

function object(name: string, fields: Readonly<Record<string, Shape>>): Shape {
  const entries = Object.entries(fields).map(
    ([field, shape]) => [field, { escaped: field.replaceAll('-', '__dash__'), shape }] as const,
  );
  const type = struct(name);
  return {
    form: 'object',
    type,
    nullable: false,
    minBytes: 2,
    maxElements: undefined,
    fields: new Map(entries),
  };
}

const PORT = object('selfType.ports.@idx', { name: text(20), port: leaf('int'), 'x-y': text(10) });

const SELF = object('selfType', {
  i: leaf('int'),
  j: leaf('int'),
  d: leaf('double'),
  b: leaf('bool'),
  s: text(100),
  t: text(30),
  bytes: leaf('bytes', 40),
  dur: leaf('duration', 32),
  day: leaf('date', 12),
  at: leaf('date-time', 32),
  any: leaf('int-or-string', 3 * 1024 * 1024 - 2),
  maybe: text(10),
  ints: list(leaf('int'), 20),
  texts: list(text(20), 10),
  doubles: list(leaf('double'), 10),
  set: list(text(20), 10, { listType: 'set' }),
  ports: list(PORT, 8, { listType: 'map', listKeys: ['port'] }),
  lists: list(list(leaf('int'), 5), 5),
  labels: map(text(20), 10),
  counts: map(leaf('int'), 10),
  one: object('selfType.one', {
    a: leaf('int'),
    c: text(15),
    deep: object('selfType.one.deep', { z: list(text(5), 3) }),
  }),
});

/** Go's `+` may write into a list that has room for more. Lists of 1, 2 or 4 elements have none. */
const OBJECT: Json = {
  i: 7,
  j: -3,
  d: 2.5,
  b: true,
  s: 'Hello, wörld 𝄞!',
  t: 'a,b,,c',
  bytes: 'aGVsbG8=',
  dur: '1h30m0.5s',
  day: '2024-02-29',
  at: '2024-02-29T12:34:56.789+02:00',
  any: '50%',
  ints: [3, 1, 2, 3],
  texts: ['x', 'yy', '', 'zzz'],
  doubles: [1.5, 2, -0.25, 8],
  set: ['b', 'a'],
  ports: [
    { name: 'http', port: 80, 'x-y': 'q' },
    { name: 'https', port: 443 },
  ],
  lists: [[1, 2], [], [3], [5]],
  labels: { app: 'web' },
  counts: { one: 1 },
  one: { a: 1, c: 'cc', deep: { z: ['p', 'q'] } },
};

const OLD_OBJECT: Json = {
  ...OBJECT,
  i: 8,
  any: 5,
  s: 'other',
  set: ['a', 'b'],
  ports: [
    { name: 'https', port: 443 },
    { name: 'http', port: 80, 'x-y': 'q' },
  ],
};

/** The first line that the oracle reads. */
export function oracleSetting(): string {
  return JSON.stringify({ schema: schemaOf(SELF), self: OBJECT, oldSelf: OLD_OBJECT });
}

function schemaOf(shape: Shape): { readonly [name: string]: Json } {
  const { form, element, fields, maxElements = 0 } = shape;
  if (form === 'object') {
    const properties = Object.fromEntries(
      [...(fields ?? [])].map(([name, field]) => [name, schemaOf(field.shape)]),
    );
    return { type: 'object', properties };
  }
  if (form === 'map' && element !== undefined) {
    return { type: 'object', additionalProperties: schemaOf(element), maxProperties: maxElements };
  }
  if (form === 'list' && element !== undefined) {
    const more = {
      ...(shape.listType !== undefined && { 'x-kubernetes-list-type': shape.listType }),
      ...(shape.listKeys !== undefined && { 'x-kubernetes-list-map-keys': shape.listKeys }),
    };
    return { type: 'array', items: schemaOf(element), maxItems: maxElements, ...more };
  }
  const schema = LEAVES[form]?.[1] ?? {};
  if (form === 'string') return { ...schema, maxLength: maxElements / 4 };
  return form === 'bytes' ? { ...schema, maxLength: maxElements } : schema;
}

/** Returns the environment with the variables `self` and `oldSelf`. */
export function subjectEnvironment(): Environment {
  const type = SELF.type ?? DYN;
  const structs = new Map<string, Shape>();
  const visit = (shape: Shape) => {
    if (shape.form === 'object') structs.set(shape.type?.name ?? '', shape);
    for (const part of [
      shape.element ?? [],
      ...[...(shape.fields?.values() ?? [])].map((field) => field.shape),
    ].flat()) {
      visit(part);
    }
  };
  visit(SELF);
  return {
    ...environmentOf('stored', LIBRARIES),
    variables: new Map(['self', 'oldSelf'].map((name) => [name, { name, type }])),
    structs,
  };
}

/** Returns the value of a variable. */
export function subjectValue(name: string): Value | undefined {
  if (name === 'self') return fromJson(OBJECT, SELF);
  return name === 'oldSelf' ? fromJson(OLD_OBJECT, SELF) : undefined;
}

/** Returns the largest size of a value of the object, by its path. */
export function subjectSize(path: readonly string[]): bigint | undefined {
  let at: Shape | undefined = SELF;
  for (const part of path.slice(1)) {
    const here: Shape | undefined = at;
    // Upstream knows no size of keys, which is 0 then.
    if (part === '@keys') return here?.form === 'map' ? 0n : undefined;
    const field: ShapeField | undefined = [...(here?.fields?.values() ?? [])].find(
      ({ escaped }) => escaped === part,
    );
    at = part === '@items' || part === '@values' ? here?.element : field?.shape;
  }
  return at === undefined ? undefined : BigInt(at.maxElements ?? 0);
}
