import { type FieldError, formatFieldError } from '../../selectors/index.ts';
import { child, forbidden, index, invalid, key, required } from '../field-errors/index.ts';
import { completenessErrors } from './completeness.ts';
import { metadataErrors } from './metadata-schema.ts';
import { patternWeight } from './pattern-weight.ts';
import type { Patterns } from './patterns.ts';
import { additionalOf, defaultOf, isZero, itemsOf, propertiesOf, type Schema } from './schema.ts';

type Level = 'root' | 'item' | 'field';

const MISSING_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/**
 * Returns the errors that prevent a schema from being structural, sorted as upstream does
 * (pkg/apiserver/schema/validation.go, ValidateStructural). Every field must have one type, and schemas below `anyOf`
 * or a similar keyword may only restrict it.
 */
export function validateStructural(schema: Schema, path: string, patterns: Patterns): FieldError[] {
  const errors = [
    ...new StructuralRules(patterns).errorsOf(schema, 'root', path),
    ...completenessErrors(schema, path),
  ];
  const texts = new Map(errors.map((error) => [error, formatFieldError(error)]));
  return errors.toSorted((one, other) => compare(texts.get(one) ?? '', texts.get(other) ?? ''));
}

/**
 * The maximum weight of all patterns of a schema: characters and counted repetitions. This many compile in a fraction
 * of a second.
 */
const MOST_WEIGHT = 100_000;

class StructuralRules {
  readonly #patterns: Patterns;
  #weight = 0;

  constructor(patterns: Patterns) {
    this.#patterns = patterns;
  }

  errorsOf(schema: Schema, level: Level, path: string): FieldError[] {
    const items = itemsOf(schema);
    return [
      ...(schema.type === 'array' && items === undefined
        ? [required(child(path, 'items'), 'must be specified')]
        : []),
      ...(items === undefined ? [] : this.errorsOf(items, 'item', child(path, 'items'))),
      ...[...propertiesOf(schema)].flatMap(([name, property]) =>
        this.errorsOf(property, 'field', key(child(path, 'properties'), name)),
      ),
      ...this.#additional(schema, level, path),
      ...extensionErrors(schema, path),
      ...this.#valueRules(schema, path, intOrStringAlternatives(schema)),
      ...typeErrors(schema, level, path),
      ...metadataErrors(schema, level === 'root', path),
    ];
  }

  #additional(schema: Schema, level: Level, path: string): FieldError[] {
    const below = child(path, 'additionalProperties');
    const additional = additionalOf(schema);
    const atRoot = level === 'root' && schema.additionalProperties !== undefined;
    return [
      ...(atRoot ? [forbidden(below, 'must not be used at the root')] : []),
      ...(additional === undefined ? [] : this.errorsOf(additional, 'field', below)),
    ];
  }

  #valueRules(schema: Schema, path: string, skip: { anyOf: boolean; firstAllOf: boolean }): FieldError[] {
    const all = (name: 'allOf' | 'anyOf' | 'oneOf', skipFirst = false) =>
      (schema[name] ?? []).flatMap((nested, at) =>
        this.#nested(nested, index(child(path, name), at), skipFirst && at === 0),
      );
    return [
      ...(skip.anyOf ? [] : all('anyOf')),
      ...all('allOf', skip.firstAllOf),
      ...all('oneOf'),
      ...(schema.not === undefined ? [] : this.#nested(schema.not, child(path, 'not'), false)),
      ...this.#patternErrors(schema, path),
    ];
  }

  #patternErrors({ pattern = '' }: Schema, path: string): FieldError[] {
    if (pattern === '') return [];
    const before = this.#weight;
    this.#weight += Math.max(patternWeight(pattern), pattern.length);
    if (before > MOST_WEIGHT) return [];
    if (this.#weight > MOST_WEIGHT) {
      const detail = `the patterns of the schema are too large together; this is where they exceed ${MOST_WEIGHT} characters, with counted repetitions`;
      return [forbidden(child(path, 'pattern'), detail)];
    }
    this.#patterns.refill();
    const why = this.#patterns.errorOf(pattern);
    return why === undefined
      ? []
      : [invalid(child(path, 'pattern'), pattern, `must be a valid regular expression, but isn't: ${why}`)];
  }

  /** Checks a schema below `anyOf` or a similar keyword. It may restrict values but not define their types. */
  #nested(nested: Schema, path: string, skipAnyOf: boolean): FieldError[] {
    const items = itemsOf(nested);
    const properties = propertiesOf(nested);
    return [
      ...this.#valueRules(nested, path, { anyOf: skipAnyOf, firstAllOf: false }),
      ...(items === undefined ? [] : this.#nested(items, child(path, 'items'), false)),
      ...[...properties].flatMap(([name, property]) =>
        this.#nested(property, key(child(path, 'properties'), name), false),
      ),
      ...NOT_NESTED.filter(({ set }) => set(nested)).map(({ name, detail }) =>
        forbidden(child(path, name), detail),
      ),
      ...(properties.has('metadata')
        ? [forbidden(key(child(path, 'properties'), 'metadata'), 'must not be specified in a nested context')]
        : []),
    ];
  }
}

const UNDEFINED = 'must be undefined to be structural';
const EMPTY = 'must be empty to be structural';
const FALSE = 'must be false to be structural';

/** The fields that are forbidden below `anyOf` or a similar keyword. */
const NOT_NESTED: readonly { name: string; detail: string; set: (schema: Schema) => boolean }[] = [
  { name: 'type', detail: EMPTY, set: ({ type = '' }) => type !== '' },
  {
    name: 'additionalProperties',
    detail: UNDEFINED,
    set: ({ additionalProperties: allowed }) => allowed !== undefined && allowed !== false,
  },
  { name: 'default', detail: UNDEFINED, set: (schema) => defaultOf(schema) !== undefined },
  { name: 'title', detail: EMPTY, set: ({ title = '' }) => title !== '' },
  { name: 'description', detail: EMPTY, set: ({ description = '' }) => description !== '' },
  { name: 'nullable', detail: FALSE, set: ({ nullable = false }) => nullable },
  ...(
    [
      'x-kubernetes-preserve-unknown-fields',
      'x-kubernetes-embedded-resource',
      'x-kubernetes-int-or-string',
    ] as const
  ).map((name) => ({ name, detail: FALSE, set: (schema: Schema) => schema[name] === true })),
  {
    name: 'x-kubernetes-list-map-keys',
    detail: EMPTY,
    set: (schema) => (schema['x-kubernetes-list-map-keys'] ?? []).length > 0,
  },
  ...(['x-kubernetes-list-type', 'x-kubernetes-map-type'] as const).map((name) => ({
    name,
    detail: UNDEFINED,
    set: (schema: Schema) => schema[name] !== undefined,
  })),
  {
    name: 'x-kubernetes-validations',
    detail: EMPTY,
    set: (schema) => (schema['x-kubernetes-validations'] ?? []).length > 0,
  },
];

function extensionErrors(schema: Schema, path: string): FieldError[] {
  if (schema['x-kubernetes-int-or-string'] !== true) return [];
  return (['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const)
    .filter((name) => schema[name] === true)
    .map((name) => invalid(child(path, name), true, 'must be false if x-kubernetes-int-or-string is true'));
}

function typeErrors(schema: Schema, level: Level, path: string): FieldError[] {
  const { type = '' } = schema;
  const at = child(path, 'type');
  const errors: FieldError[] = [];
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const untyped =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (embedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? required(at, detail) : invalid(at, type, detail));
  } else if (type === '' && !untyped) {
    errors.push(required(at, MISSING_TYPE[level]));
  }
  if (embedded && schema.additionalProperties !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(forbidden(child(path, 'additionalProperties'), detail));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalid(at, type, 'must be object at the root'));
  }
  return errors;
}

/** Returns which of the two forms declares the types integer and string: an `anyOf`, or the first of `allOf`. */
function intOrStringAlternatives(schema: Schema): { anyOf: boolean; firstAllOf: boolean } {
  return {
    anyOf: isIntOrString(schema.anyOf),
    firstAllOf: isIntOrString(schema.allOf?.[0]?.anyOf),
  };
}

function isIntOrString(alternatives: readonly Schema[] = []): boolean {
  const says = (schema: Schema) => Object.entries(schema).filter(([, value]) => !isZero(value));
  return JSON.stringify(alternatives.map(says)) === '[[["type","integer"]],[["type","string"]]]';
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
