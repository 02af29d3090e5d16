import type { FieldError } from '../../selectors/index.ts';
import { child, forbidden, invalid } from '../field-errors/index.ts';
import { evaluateRules, type KeptRules, type Rules, ruleErrors, rulesOf } from './cel/index.ts';
import type { MetadataRules } from './compiled-schema.ts';
import { loadPatterns, type Patterns } from './patterns.ts';
import { isSchemaList, type Schema, schemasBelow } from './schema.ts';
import { schemaErrors } from './schema-rules.ts';
import { defaultErrors } from './validate-defaults.ts';
import { validateStructural } from './validate-structural.ts';

/** The position of a version's schema in its definition. */
export interface SchemaPlace {
  /** `spec.validation.openAPIV3Schema`: the path at which Kubernetes expects the schema that all versions share. */
  readonly path: string;
  /** Whether the version has a status subresource, whose status is validated separately. */
  readonly hasStatus: boolean;
  /** What the stored definition has already; undefined for a new definition. */
  readonly kept?: KeptRules | undefined;
}

/** Returns all errors in the schema of a CustomResourceDefinition, in Kubernetes' words. */
export async function validateSchema(
  schema: Schema,
  place: SchemaPlace,
  metadata: MetadataRules,
): Promise<FieldError[]> {
  const { path } = place;
  const patterns = await loadPatterns();
  const root = [
    ...(place.hasStatus ? rootErrors(schema, path) : []),
    ...(schema.nullable === true
      ? [forbidden(child(path, 'nullable'), 'nullable cannot be true at the root')]
      : []),
  ];
  const readable = isReadable(schema);
  const structural = readable ? validateStructural(schema, path, patterns) : [];
  const rules =
    readable && structural.length === 0
      ? await rulesOf(schema, { patterns, now: metadata.now, isNew: true })
      : undefined;
  const defaults =
    readable && structural.length === 0
      ? defaultErrors(schema, path, checksOfDefaults(rules, patterns, metadata))
      : [];
  const others = schemaErrors(schema, path);
  const broken =
    rules === undefined || defaults.length > 0
      ? []
      : await ruleErrors(rules, schema, { path, skip: others.map(({ field }) => field), kept: place.kept });
  return [...root, ...structural, ...defaults, ...others, ...broken];
}

function checksOfDefaults(rules: Rules | undefined, patterns: Patterns, metadata: MetadataRules) {
  return {
    patterns,
    checkMetadata: metadata.check,
    ruleErrors: (schema: Schema, value: Parameters<typeof evaluateRules>[2]['value'], path: string) =>
      rules === undefined ? [] : evaluateRules(rules, schema, { value, path }),
  };
}

const AT_ROOT: readonly string[] = [
  ...['description', 'type', 'format', 'title', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'multipleOf', 'required'],
  ...['items', 'properties', 'externalDocs', 'example', 'x-kubernetes-preserve-unknown-fields'],
  ...['x-kubernetes-validations'],
];

/** Go's names of the fields in {@link AT_ROOT}. */
const GO_NAMES =
  '[Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations]';

/**
 * Checks the root of a schema with a status. The status schema is extracted from it, so other root fields would be
 * lost.
 */
function rootErrors(schema: Schema, path: string): FieldError[] {
  const { type = '' } = schema;
  if (type !== '' && type !== 'object') {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalid(child(path, 'type'), type, detail)];
  }
  const other = Object.entries(schema).some(
    ([name, value]) => !AT_ROOT.includes(name) && value !== undefined && value !== false,
  );
  if (!other) return [];
  const detail = `only ${GO_NAMES} fields are allowed at the root of the schema if the status subresource is enabled`;
  return [{ type: 'Invalid', field: path, value: schema, detail }];
}

/** Whether upstream can read the schema as a structural one. Other checks report the reasons why it cannot. */
function isReadable(schema: Schema): boolean {
  const { items } = schema;
  const unsupported = ['id', '$schema', '$ref', 'patternProperties', 'dependencies', 'definitions'] as const;
  return (
    unsupported.every((name) => isEmpty(schema[name])) &&
    schema.additionalItems === undefined &&
    schema['x-kubernetes-preserve-unknown-fields'] !== false &&
    !(items !== undefined && isSchemaList(items) && items.length > 0) &&
    schemasBelow(schema).every(isReadable)
  );
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === '';
}
