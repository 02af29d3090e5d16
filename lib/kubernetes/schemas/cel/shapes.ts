import type { SizeOf } from '../../../cel/definitions.ts';
import type { Shape, ShapeField } from '../../../cel/index.ts';
import { additionalOf, defaultOf, itemsOf, propertiesOf, type Schema } from '../schema.ts';
import { celName } from './property-names.ts';

/** The library for expressions, which is loaded on demand. */
export type Cel = typeof import('../../../cel/index.ts');

/** The request size in bytes that upstream assumes (k8s.io/apiserver/pkg/apis/cel, MaxRequestSizeBytes). */
export const MOST_BYTES = 3 * 1024 * 1024;
/** The longest text: a request without its quotation marks. */
const LONGEST = MOST_BYTES - 2;

type ShapeText = Pick<Shape, 'form' | 'minBytes' | 'maxElements'>;

/** The texts that a format turns into other values. */
const FORMATS: Readonly<Record<string, ShapeText>> = {
  duration: { form: 'duration', minBytes: 3, maxElements: 32 },
  date: { form: 'date', minBytes: 12, maxElements: 12 },
  'date-time': { form: 'date-time', minBytes: 21, maxElements: 32 },
};

const TEXT: Schema = { type: 'string' };
const METADATA: Schema = { type: 'object', properties: { name: TEXT, generateName: TEXT } };
/** The fields that rules see at the root of a resource, whatever the schema says of them. */
const RESOURCE: readonly (readonly [string, Schema])[] = [
  ['kind', TEXT],
  ['apiVersion', TEXT],
  ['metadata', METADATA],
];

const RESOURCE_FIELDS: ReadonlySet<string> = new Set(RESOURCE.map(([name]) => name));

/** How rules see the values of a structural schema (k8s.io/apiserver/pkg/cel/common, SchemaDeclType). */
export class Shapes {
  /** The shapes of objects, by the name of their type. */
  readonly structs = new Map<string, Shape>();
  readonly #cel: Cel;
  readonly #known = new Map<Schema, Shape>();

  /** @param name the name of the root's type, with which those of all parts begin */
  constructor(root: Schema, cel: Cel, name = 'self') {
    this.#cel = cel;
    this.#shape(root, name, true);
  }

  /** Returns the shape of a schema of the tree. */
  of(schema: Schema): Shape | undefined {
    return this.#known.get(schema);
  }

  #shape(schema: Schema, name: string, isRoot = false): Shape {
    const shape = this.#made(schema, name, isRoot || schema['x-kubernetes-embedded-resource'] === true);
    this.#known.set(schema, shape);
    return shape;
  }

  #made(schema: Schema, name: string, isResource: boolean): Shape {
    const { type, nullable = false } = schema;
    const { types } = this.#cel;
    if (schema['x-kubernetes-int-or-string'] === true) {
      return { form: 'int-or-string', type: types.DYN, nullable, minBytes: 1, maxElements: LONGEST };
    }
    const scalar = (form: Shape['form'], of: Shape['type'], minBytes: number): Shape => {
      return { form, type: of, nullable, minBytes, maxElements: undefined };
    };
    switch (type) {
      case 'object':
        return this.#object(schema, name, isResource);
      case 'array':
        return this.#list(schema, name);
      case 'string':
        return this.#text(schema);
      case 'boolean':
        return scalar('bool', types.BOOL, 4);
      case 'number':
        return scalar('double', types.DOUBLE, 1);
      case 'integer':
        return scalar('int', types.INT, 1);
      default:
        return scalar('unknown', undefined, 0);
    }
  }

  #text({ format = '', maxLength, nullable = false, enum: allowed = [] }: Schema): Shape {
    const { types } = this.#cel;
    const known = FORMATS[format];
    if (known !== undefined) {
      return { ...known, type: format === 'duration' ? types.DURATION : types.TIMESTAMP, nullable };
    }
    const most = maxLength === undefined ? undefined : Math.max(0, maxLength);
    if (format === 'byte') {
      return { form: 'bytes', type: types.BYTES, nullable, minBytes: 2, maxElements: most ?? LONGEST };
    }
    const longest = allowed.length === 0 ? LONGEST : Math.max(0, ...allowed.map(bytesOf));
    const maxElements = most === undefined ? longest : most * 4;
    return { form: 'string', type: types.STRING, nullable, minBytes: 2, maxElements };
  }

  #list(schema: Schema, name: string): Shape {
    const items = itemsOf(schema);
    const element = items && this.#shape(items, `${name}.@idx`);
    const { nullable = false, maxItems } = schema;
    const listType = schema['x-kubernetes-list-type'] ?? 'atomic';
    return {
      form: 'list',
      type: element?.type && this.#cel.types.listOf(element.type),
      nullable,
      minBytes: 2,
      maxElements: maxItems === undefined ? mostOf(1, element) : Math.max(0, maxItems),
      ...(element === undefined ? {} : { element }),
      ...(listType === 'set' || listType === 'map' ? { listType } : {}),
      listKeys: schema['x-kubernetes-list-map-keys'] ?? [],
    };
  }

  #object(schema: Schema, name: string, isResource: boolean): Shape {
    const additional = additionalOf(schema);
    if (additional !== undefined) return this.#map(schema, additional, name);
    const { nullable = false, required = [] } = schema;
    const fields = new Map<string, ShapeField>();
    let minBytes = 2;
    for (const [key, property] of hiddenBy(schema, isResource)) this.#shape(property, `${name}.${key}`);
    for (const [key, property] of fieldsOf(schema, isResource)) {
      const escaped = celName(key);
      const shape = this.#shape(property, `${name}.${escaped ?? key}`);
      fields.set(key, { escaped, shape });
      const isNeeded = required.includes(key) && defaultOf(property) === undefined;
      if (isNeeded && shape.type !== undefined) minBytes += Buffer.byteLength(key) + shape.minBytes + 4;
    }
    const type = this.#cel.types.struct(name);
    const shape: Shape = { form: 'object', type, nullable, minBytes, maxElements: undefined, fields };
    this.structs.set(name, shape);
    return shape;
  }

  #map({ nullable = false, maxProperties }: Schema, additional: Schema, name: string): Shape {
    const { types } = this.#cel;
    const element = this.#shape(additional, `${name}.@elem`);
    return {
      form: 'map',
      type: element.type && types.mapOf(types.STRING, element.type),
      nullable,
      minBytes: 2,
      maxElements: maxProperties === undefined ? mostOf(6, element) : Math.max(0, maxProperties),
      element,
    };
  }
}

function fieldsOf(schema: Schema, isResource: boolean): readonly (readonly [string, Schema])[] {
  const own = [...propertiesOf(schema)];
  if (!isResource) return own;
  return [...own.filter(([name]) => !RESOURCE_FIELDS.has(name)), ...RESOURCE];
}

/** Returns the declared fields that rules of a resource see in another form. They may have rules of their own. */
function hiddenBy(schema: Schema, isResource: boolean): readonly (readonly [string, Schema])[] {
  return isResource ? [...propertiesOf(schema)].filter(([name]) => RESOURCE_FIELDS.has(name)) : [];
}

/** Returns the number of elements that a request can hold, with this many bytes between them. */
function mostOf(between: number, element: Shape | undefined): number {
  return Math.floor(LONGEST / ((element?.minBytes ?? 0) + between));
}

function bytesOf(value: unknown): number {
  return typeof value === 'string' ? Buffer.byteLength(value) : 0;
}

/** Returns the largest sizes of the parts of a variable with this shape. */
export function sizesOf(shape: Shape): SizeOf {
  return (path) => {
    let at: Shape | undefined = shape;
    for (const [index, part] of path.entries()) {
      if (index === 0) continue;
      if (part === '@keys') {
        // Keys of maps have no declared length, so that upstream takes them to be empty.
        if (at.form !== 'map') return undefined;
        at = EMPTY;
      } else {
        at = part === '@items' || part === '@values' ? at.element : fieldOf(at, part);
      }
      if (at?.type === undefined) return undefined;
    }
    return BigInt(at.maxElements ?? 0);
  };
}

const EMPTY: Shape = {
  form: 'string',
  type: { kind: 'string', name: 'string', parameters: [] },
  nullable: false,
  minBytes: 2,
  maxElements: undefined,
};

function fieldOf({ fields }: Shape, name: string): Shape | undefined {
  return [...(fields?.values() ?? [])].find(({ escaped }) => escaped === name)?.shape;
}
