import { DEFINITIONS, type FuzzRequest, KIB, repeated, type Shape } from '../fuzz-request.ts';

type Json = Readonly<Record<string, unknown>>;

const STRING = { type: 'string' };

const kindOf = (plural: string) => `${plural.charAt(0).toUpperCase()}${plural.slice(1, -2)}`;

/** A definition whose `spec` has a schema. */
function definition(schema: unknown, more: Json = {}, plural = 'fuzzes'): Json {
  const kind = kindOf(plural);
  const root = { type: 'object', properties: { spec: schema } };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: root }, ...more };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.fuzz.example` },
    spec: { group: 'fuzz.example', scope: 'Cluster', names: { plural, kind }, versions: [version] },
  };
}

const post = (path: string, body: unknown): FuzzRequest => ({
  method: 'POST',
  path,
  type: 'application/json',
  body: JSON.stringify(body),
});

/** As many of something as fit into so many bytes. */
function many<Part>(bytes: number, part: (index: number) => Part): Part[] {
  const each = JSON.stringify(part(1)).length + 1;
  return Array.from({ length: Math.max(1, Math.floor(bytes / each)) }, (_, at) => part(at));
}

const properties = (bytes: number, schema: (index: number) => unknown) =>
  Object.fromEntries(many(bytes, (at) => [`k${at}`, schema(at)] as const));

function nested(bytes: number, around: (inner: unknown) => unknown): unknown {
  const each = JSON.stringify(around(0)).length;
  let inner: unknown = STRING;
  for (let length = 0; length < bytes; length += each) inner = around(inner);
  return inner;
}

const rules = (list: readonly string[]) => ({
  type: 'object',
  properties: { text: STRING, list: { type: 'array', maxItems: 10, items: STRING } },
  'x-kubernetes-validations': list.map((rule) => ({ rule })),
});

const SCHEMAS: Readonly<Record<string, (bytes: number) => Json>> = {
  properties: (bytes) => definition({ type: 'object', properties: properties(bytes, () => STRING) }),
  'objects that nest': (bytes) =>
    definition(nested(Math.min(bytes, 8000), (a) => ({ type: 'object', properties: { a } }))),
  'lists that nest': (bytes) =>
    definition(nested(Math.min(bytes, 8000), (items) => ({ type: 'array', items }))),
  alternatives: (bytes) => definition({ type: 'string', anyOf: many(bytes, (at) => ({ minLength: at })) }),
  'alternatives that nest': (bytes) =>
    definition({ type: 'string', anyOf: [nested(Math.min(bytes, 4000), (a) => ({ anyOf: [a] }))] }),
  'allowed values': (bytes) => definition({ type: 'string', enum: many(bytes, (at) => `v${at}`) }),
  'required fields': (bytes) => definition({ type: 'object', required: many(bytes, (at) => `k${at}`) }),
  patterns: (bytes) =>
    definition({
      type: 'object',
      properties: properties(bytes, (at) => ({ type: 'string', pattern: `a{${at % 1000}}` })),
    }),
  'a large pattern': (bytes) => definition({ type: 'string', pattern: repeated(bytes, () => 'a{1000}') }),
  'a pattern of classes': (bytes) => definition({ type: 'string', pattern: repeated(bytes, () => '[[:[:') }),
  'a pattern that nests': (bytes) =>
    definition({ type: 'string', pattern: `${'('.repeat(bytes / 2)}${')'.repeat(bytes / 2)}` }),
  defaults: (bytes) =>
    definition({ type: 'object', properties: properties(bytes, () => ({ type: 'string', default: 'a' })) }),
  'a large default': (bytes) =>
    definition({ type: 'array', items: STRING, default: many(bytes, (at) => `v${at}`) }),
  'wrong defaults': (bytes) =>
    definition({ type: 'object', properties: properties(bytes, () => ({ type: 'string', default: 1 })) }),
  rules: (bytes) => definition(rules(many(bytes, (at) => `self.text != 'a${at}'`))),
  'a long rule': (bytes) =>
    definition(rules([repeated(bytes, (at) => `self.text != 'a${at}' && `).concat('true')])),
  'a rule that nests': (bytes) => definition(rules([`${'('.repeat(bytes / 2)}true${')'.repeat(bytes / 2)}`])),
  'a rule of operators': (bytes) => definition(rules([`${'!'.repeat(bytes)}true`])),
  'a rule of a long text': (bytes) => definition(rules([`self.text != '${'a'.repeat(bytes)}'`])),
  'a rule of replacements': (bytes) =>
    definition(rules([`self.text${repeated(bytes, () => ".replace('a','aa')")} == ''`])),
  columns: (bytes) =>
    definition(STRING, {
      additionalPrinterColumns: many(bytes, (at) => ({ name: `c${at}`, type: 'string', jsonPath: '.spec' })),
    }),
  'a long path of a column': (bytes) =>
    definition(STRING, {
      additionalPrinterColumns: [{ name: 'c', type: 'string', jsonPath: '.a'.repeat(bytes / 2) }],
    }),
  'a path of filters': (bytes) =>
    definition(STRING, {
      additionalPrinterColumns: [{ name: 'c', type: 'string', jsonPath: repeated(bytes, () => '[?(@.a=="') }],
    }),
  'selectable fields': (bytes) =>
    definition(STRING, { selectableFields: many(bytes, (at) => ({ jsonPath: `.spec.k${at}` })) }),
  'keys of a list': (bytes) =>
    definition({
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': many(bytes, (at) => `k${at}`),
      items: { type: 'object' },
    }),
};

/** Each hostile definition that is accepted, and a body of its kind. */
const KINDS: Readonly<
  Record<string, readonly [plural: string, schema: unknown, body: (bytes: number) => unknown]>
> = {
  'a set': [
    'sets',
    { type: 'array', 'x-kubernetes-list-type': 'set', items: STRING },
    (bytes) => many(bytes, (at) => `v${at}`),
  ],
  'a set of the same': [
    'samesets',
    { type: 'array', 'x-kubernetes-list-type': 'set', items: STRING },
    (bytes) => many(bytes, () => 'v'),
  ],
  'a list with keys': [
    'maps',
    {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', required: ['k'], properties: { k: STRING } },
    },
    (bytes) => many(bytes, (at) => ({ k: `v${at}` })),
  ],
  'alternatives of each element': [
    'alternatives',
    { type: 'array', items: { type: 'string', anyOf: many(8000, (at) => ({ minLength: at + 2 })) } },
    (bytes) => many(bytes, () => 'a'),
  ],
  'allowed values of each element': [
    'enumes',
    { type: 'array', items: { type: 'string', enum: many(60_000, (at) => `v${at}`) } },
    (bytes) => many(bytes, () => 'a'),
  ],
  'defaults of each element': [
    'defaultes',
    {
      type: 'array',
      items: {
        type: 'object',
        properties: { a: { type: 'array', items: STRING, default: many(20_000, (at) => `v${at}`) } },
      },
    },
    (bytes) => many(bytes, () => ({})),
  ],
  'patterns of each element': [
    'patternes',
    { type: 'array', items: { type: 'string', pattern: '[ab]*a[ab]{500}[cd]' } },
    (bytes) => many(bytes, () => 'abbabaabab'.repeat(10)),
  ],
  'a pattern of a long text': [
    'longes',
    { type: 'string', pattern: '[ab]*a[ab]{500}[cd]' },
    (bytes) => repeated(bytes, (at) => ((at * at) % 7 < 3 ? 'a' : 'b')),
  ],
  'a rule over each element': [
    'rulees',
    {
      type: 'array',
      maxItems: 4000,
      items: { ...STRING, maxLength: 100 },
      'x-kubernetes-validations': [{ rule: 'self.all(a, a.size() < 3)' }],
    },
    (bytes) => many(bytes, () => 'a').slice(0, 4000),
  ],
  'a rule of each element': [
    'eachrulees',
    {
      type: 'array',
      maxItems: 100_000,
      items: {
        type: 'string',
        maxLength: 10,
        'x-kubernetes-validations': [{ rule: Array.from({ length: 50 }, () => "self != 'b'").join(' && ') }],
      },
    },
    (bytes) => many(bytes, () => 'a'),
  ],
  'a rule that fails for each element': [
    'failrulees',
    {
      type: 'array',
      maxItems: 100_000,
      items: {
        type: 'string',
        maxLength: 10,
        'x-kubernetes-validations': [{ rule: "self == 'b'", message: 'm'.repeat(2000) }],
      },
    },
    (bytes) => many(bytes, () => 'a'),
  ],
  replacements: [
    'replacees',
    {
      type: 'string',
      maxLength: 1000,
      'x-kubernetes-validations': [{ rule: `self${".replace('a','aaaaaaaaaaaaaaaaaaaa')".repeat(9)} == ''` }],
    },
    (bytes) => 'a'.repeat(Math.min(bytes, 1000)),
  ],
  'wrong types': [
    'wronges',
    { type: 'array', items: { type: 'integer' } },
    (bytes) => many(bytes, () => 'a'),
  ],
  'unknown fields': [
    'unknownes',
    { type: 'object', properties: { a: STRING } },
    (bytes) => properties(bytes, () => 1),
  ],
  anything: [
    'anythinges',
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    (bytes) => properties(bytes, () => 1),
  ],
  'anything that nests': [
    'nestes',
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    (bytes) => nested(Math.min(bytes, 4000), (a) => ({ a })),
  ],
};

const written: readonly Shape[] = Object.entries(SCHEMAS).map(([name, made]) => ({
  name: `definition: ${name}`,
  most: 3072 * KIB - 1024,
  make: (bytes) => post(`${DEFINITIONS}?dryRun=All`, made(Math.max(8, bytes - 600))),
}));

const used: readonly Shape[] = Object.entries(KINDS).map(([name, [plural, schema, body]]) => ({
  name: `custom object: ${name}`,
  most: 3072 * KIB - 1024,
  before: [post(DEFINITIONS, definition(schema, {}, plural))],
  make: (bytes) =>
    post(`/apis/fuzz.example/v1/${plural}?dryRun=All`, {
      apiVersion: 'fuzz.example/v1',
      kind: kindOf(plural),
      metadata: { name: 'fuzzed' },
      spec: body(Math.max(8, bytes - 300)),
    }),
}));

export const DEFINITION_SHAPES: readonly Shape[] = [...written, ...used];
