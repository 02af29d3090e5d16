import type { FieldError } from '../../selectors/index.ts';
import { child, forbidden, index, invalid, key, notSupported } from '../field-errors/index.ts';
import { listErrors, mapTypeErrors } from './list-rules.ts';
import { ruleTextErrors } from './rule-texts.ts';
import { additionalOf, defaultOf, isSchemaList, itemsOf, propertiesOf, type Schema } from './schema.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const META_FIELDS: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

/** The position of a schema. */
interface Place {
  readonly path: string;
  readonly root: boolean;
  /** The reason why defaults are forbidden here; undefined if they are allowed. */
  readonly noDefaults?: string;
  /** Whether it is in the apiVersion, kind or metadata of a resource. */
  readonly insideMeta: boolean;
}

/**
 * Returns errors for features that Kubernetes forbids in the schema of a definition, apart from the structural rules
 * (pkg/apis/apiextensions/validation, ValidateCustomResourceDefinitionOpenAPISchema).
 */
export function schemaErrors(schema: Schema, path: string): FieldError[] {
  return errorsAt(schema, { path, root: true, insideMeta: false });
}

function errorsAt(schema: Schema, place: Place): FieldError[] {
  const { path } = place;
  return [
    ...standardErrors(schema, place),
    ...(schema.uniqueItems === true
      ? [
          forbidden(
            child(path, 'uniqueItems'),
            'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
          ),
        ]
      : []),
    ...additionalErrors(schema, place),
    ...[...propertiesOf(schema)].flatMap(([name, property]) =>
      errorsAt(property, propertyPlace(schema, name, place)),
    ),
    ...below(schema, place).flatMap(([nested, at]) => errorsAt(nested, { ...place, path: at, root: false })),
    ...(schema['x-kubernetes-preserve-unknown-fields'] === false
      ? [invalid(child(path, 'x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined')]
      : []),
    ...mapTypeErrors(schema, path),
    ...listErrors(schema, path),
    ...ruleTextErrors(schema, path),
  ];
}

/** Returns every nested schema that is not a property's. */
function below(schema: Schema, { path }: Place): [Schema, string][] {
  const { items } = schema;
  const lists = (['allOf', 'oneOf', 'anyOf'] as const).flatMap((name) =>
    (schema[name] ?? []).map((each, at): [Schema, string] => [each, index(child(path, name), at)]),
  );
  return [
    ...(schema.not === undefined ? [] : [[schema.not, child(path, 'not')] satisfies [Schema, string]]),
    ...lists,
    ...Object.entries(schema.definitions ?? {}).map(([name, each]): [Schema, string] => [
      each,
      key(child(path, 'definitions'), name),
    ]),
    ...(items !== undefined && isSchemaList(items)
      ? items.map((each, at): [Schema, string] => [each, index(child(path, 'items'), at)])
      : []),
    ...[itemsOf(schema)].flatMap((each): [Schema, string][] =>
      each === undefined ? [] : [[each, child(path, 'items')]],
    ),
  ];
}

function propertyPlace(schema: Schema, name: string, place: Place): Place {
  const path = key(child(place.path, 'properties'), name);
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const meta = (place.root || embedded) && META_FIELDS.has(name);
  return {
    path,
    root: false,
    insideMeta: place.insideMeta || meta,
    noDefaults: meta && place.root ? `in top-level ${name}` : place.noDefaults,
  };
}

function additionalErrors(schema: Schema, place: Place): FieldError[] {
  const { additionalProperties: allowed } = schema;
  const path = child(place.path, 'additionalProperties');
  const additional = additionalOf(schema);
  const both = allowed !== undefined && allowed !== true && propertiesOf(schema).size > 0;
  const noDefaults = place.insideMeta
    ? 'inside additionalProperties applying to object metadata'
    : place.noDefaults;
  return [
    ...(both ? [forbidden(path, 'additionalProperties and properties are mutual exclusive')] : []),
    ...(additional === undefined ? [] : errorsAt(additional, { ...place, path, root: false, noDefaults })),
  ];
}

/** Returns errors for features of JSON schema that no definition may use. */
function standardErrors(schema: Schema, { path, noDefaults, insideMeta }: Place): FieldError[] {
  const { type = '', items } = schema;
  const unsupported = (
    ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'] as const
  )
    .filter((name) => isSet(schema[name]))
    .map((name) => forbidden(child(path, name), `${name} is not supported`));
  return [
    ...(type !== '' && !TYPES.includes(type) ? [notSupported(child(path, 'type'), type, TYPES)] : []),
    ...(defaultOf(schema) !== undefined && noDefaults !== undefined
      ? [forbidden(child(path, 'default'), `must not be set ${noDefaults}`)]
      : []),
    ...unsupported,
    ...(type === 'null'
      ? [forbidden(child(path, 'type'), 'type cannot be set to null, use nullable as an alternative')]
      : []),
    ...(items !== undefined && isSchemaList(items) && items.length > 0
      ? [forbidden(child(path, 'items'), 'items must be a schema object and not an array')]
      : []),
    ...(insideMeta && schema['x-kubernetes-embedded-resource'] === true
      ? [forbidden(child(path, 'x-kubernetes-embedded-resource'), 'must not be used inside of resource meta')]
      : []),
  ];
}

function isSet(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== '';
}
