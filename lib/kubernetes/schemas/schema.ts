import type { JsonObject, JsonValue } from '../../json/index.ts';

/** A CEL rule that a value must fulfil (`x-kubernetes-validations`). */
export interface ValidationRule {
  readonly rule?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/**
 * The schema of a custom resource in its definition (`openAPIV3Schema`): JSONSchemaProps of apiextensions.k8s.io/v1.
 * A value that was decoded as that type has this shape.
 */
export interface Schema {
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly default?: JsonValue;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly multipleOf?: number;
  readonly enum?: readonly JsonValue[];
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly items?: Schema | readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly not?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly dependencies?: JsonObject;
  readonly additionalItems?: Schema | boolean;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly externalDocs?: JsonObject;
  readonly example?: JsonValue;
  readonly nullable?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/** Returns the schema of the elements. Undefined if there is none, or one per index, which no definition may have. */
export function itemsOf({ items }: Schema): Schema | undefined {
  return items === undefined || isSchemaList(items) ? undefined : items;
}

/** Returns the schema of the values of a map; undefined if anything or nothing is allowed. */
export function additionalOf({ additionalProperties }: Schema): Schema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** Returns the default of a missing value. As in Kubernetes, null is not a default. */
export function defaultOf(schema: Schema): JsonValue | undefined {
  return schema.default ?? undefined;
}

/**
 * Returns the properties by name. They are computed once per schema, because every object of a kind needs all of
 * them.
 */
export function propertiesOf(schema: Schema): ReadonlyMap<string, Schema> {
  const known = PROPERTIES.get(schema);
  if (known !== undefined) return known;
  const properties = new Map(Object.entries(schema.properties ?? {}));
  PROPERTIES.set(schema, properties);
  return properties;
}

const PROPERTIES = new WeakMap<Schema, ReadonlyMap<string, Schema>>();

/** Returns the schemas directly below a schema. */
export function schemasBelow(schema: Schema): Schema[] {
  const { allOf = [], anyOf = [], oneOf = [], not } = schema;
  const single = [itemsOf(schema), additionalOf(schema), not].filter((each) => each !== undefined);
  return [...single, ...propertiesOf(schema).values(), ...allOf, ...anyOf, ...oneOf];
}

export function isSchemaList(items: Schema | readonly Schema[]): items is readonly Schema[] {
  return Array.isArray(items);
}

/** Whether a field of a schema is empty. */
export function isZero(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === false || value === '' || value === null;
}
