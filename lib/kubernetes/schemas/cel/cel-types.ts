import type { Environment } from '@marcbachmann/cel-js';
import { countValues, isJsonObject, type JsonValue } from '../../../json/index.ts';
import { sameValue } from '../same-value.ts';
import { additionalOf, itemsOf, propertiesOf, type Schema } from '../schema.ts';
import type { Budget } from './budget.ts';
import { celName } from './property-names.ts';

/** The CEL type of a schema's values, as rules see it, and its conversion from JSON. */
export interface CelType {
  /** The name of the type: `int`, `list<string>`, or the name of an object's own type. */
  readonly name: string;
  readonly convert: (value: JsonValue) => unknown;
}

/** The JSON values of converted objects, for comparisons. */
const ORIGINALS = new WeakMap<object, JsonValue>();

const TEXTS: Readonly<Record<string, CelType>> = {
  'date-time': { name: 'google.protobuf.Timestamp', convert: (value) => new Date(String(value)) },
  date: { name: 'google.protobuf.Timestamp', convert: (value) => new Date(String(value)) },
};

const NUMBERS = new Map<string, CelType>([
  ['integer', { name: 'int', convert: integer }],
  ['number', { name: 'double', convert: (value) => value }],
  ['boolean', { name: 'bool', convert: (value) => value }],
]);

const RESOURCE_FIELDS: Readonly<Record<string, Schema>> = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: {
    type: 'object',
    properties: { name: { type: 'string' }, generateName: { type: 'string' } },
  },
};

/**
 * Declares the types that the rules of a schema see (k8s.io/apiserver/pkg/cel/common, SchemaDeclType). Rules do not
 * see values that a schema does not describe. Time formats become times. A nullable value has the dynamic type.
 */
export class CelTypes {
  readonly #environment: Environment;
  readonly #known = new Map<Schema, CelType | undefined>();

  readonly #budget: Budget;

  constructor(environment: Environment, budget: Budget) {
    this.#environment = environment;
    this.#budget = budget;
  }

  /** Returns the type of a schema; undefined if rules do not see its values. */
  of(schema: Schema, isResource = schema['x-kubernetes-embedded-resource'] === true): CelType | undefined {
    if (this.#known.has(schema)) return this.#known.get(schema);
    const type = this.#declare(schema, isResource);
    const nullable = type === undefined || schema.nullable !== true ? type : orNull(type);
    this.#known.set(schema, nullable);
    return nullable;
  }

  #declare(schema: Schema, isResource: boolean): CelType | undefined {
    const { type = '', format = '' } = schema;
    if (schema['x-kubernetes-int-or-string'] === true) return INT_OR_STRING;
    if (type === 'object') return this.#map(schema) ?? this.#object(schema, isResource);
    if (type === 'array') return this.#list(schema);
    if (type === 'string') return TEXTS[format] ?? { name: 'string', convert: (value) => value };
    return NUMBERS.get(type);
  }

  /** Compares two objects and pays for the comparison. */
  #same(one: object, other: object): boolean {
    const [own = null, others = null] = [ORIGINALS.get(one), ORIGINALS.get(other)];
    this.#budget.spend(countValues(own, this.#budget.left));
    return sameValue(own, others);
  }

  #list(schema: Schema): CelType | undefined {
    const items = itemsOf(schema);
    const element = items && this.of(items);
    if (element === undefined) return undefined;
    return {
      name: `list<${element.name}>`,
      convert: (value) => (Array.isArray(value) ? value.map(element.convert) : []),
    };
  }

  #map(schema: Schema): CelType | undefined {
    const additional = additionalOf(schema);
    const element = additional && this.of(additional);
    if (element === undefined) return undefined;
    return {
      name: `map<string, ${element.name}>`,
      convert: (value) =>
        new Map(
          Object.entries(isJsonObject(value) ? value : {}).map(([key, each]) => [key, element.convert(each)]),
        ),
    };
  }

  #object(schema: Schema, isResource: boolean): CelType | undefined {
    if (additionalOf(schema) !== undefined) return undefined;
    const own = [...propertiesOf(schema)].filter(([name]) => !isResource || !(name in RESOURCE_FIELDS));
    const declared = [...own, ...(isResource ? Object.entries(RESOURCE_FIELDS) : [])];
    const fields = declared.flatMap(([name, property]) => {
      const escaped = celName(name);
      const type = this.of(property, property['x-kubernetes-embedded-resource'] === true);
      return escaped === undefined || type === undefined ? [] : [{ name, escaped, type }];
    });
    /** The class of its values. Fields are own properties with escaped names. */
    const made = class {};
    const name = `object${this.#known.size}`;
    this.#environment.registerType(name, {
      ctor: made,
      fields: Object.fromEntries(fields.map(({ escaped, type }) => [escaped, type.name])),
    });
    this.#environment.registerOperator(`${name} == ${name}`, (one: object, other: object) =>
      this.#same(one, other),
    );
    const convert = (value: JsonValue) => {
      const object = new made();
      ORIGINALS.set(object, value);
      const given = isJsonObject(value) ? value : {};
      for (const field of fields) {
        const member = given[field.name];
        if (member !== undefined) Object.assign(object, { [field.escaped]: field.type.convert(member) });
      }
      return object;
    };
    return { name, convert };
  }
}

const INT_OR_STRING: CelType = { name: 'dyn', convert: integer };

/** Converts an integer. Other values stay unchanged; a rule that reads one fails. */
function integer(value: JsonValue): unknown {
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
}

function orNull({ convert }: CelType): CelType {
  return { name: 'dyn', convert: (value) => (value === null ? null : convert(value)) };
}
