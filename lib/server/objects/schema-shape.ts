import {
  deducedShape,
  type ListShape,
  type MapShape,
  type Scalar,
  type Shape,
} from '../../kubernetes/apply/index.ts';
import { additionalOf, itemsOf, propertiesOf, type Schema } from '../../kubernetes/schemas/index.ts';

const TEXT: Shape = { scalar: 'string' };
const SCALARS: Readonly<Record<string, Scalar>> = {
  string: 'string',
  boolean: 'boolean',
  integer: 'numeric',
  number: 'numeric',
};

/**
 * The shape of a custom kind's objects, by which apply tracks the owners of fields. It follows the schema's
 * `x-kubernetes-list-type`, `x-kubernetes-map-type` and `x-kubernetes-preserve-unknown-fields`.
 *
 * @param metadata the shape of every object's metadata
 */
export function schemaShape(schema: Schema, metadata: Shape): Shape {
  return new SchemaShapes(metadata).resource(schema);
}

class SchemaShapes {
  readonly #metadata: Shape;

  constructor(metadata: Shape) {
    this.#metadata = metadata;
  }

  resource(schema: Schema): Shape {
    const { map = NOTHING } = this.#of({ ...schema, type: 'object' });
    return { map: { ...map, field: (name) => this.#common(name) ?? map.field(name) } };
  }

  #common(name: string): Shape | undefined {
    if (name === 'metadata') return this.#metadata;
    return name === 'apiVersion' || name === 'kind' ? TEXT : undefined;
  }

  #of(schema: Schema): Shape {
    const { type = '' } = schema;
    if (schema['x-kubernetes-int-or-string'] === true) return { scalar: 'untyped' };
    if (type === 'object') return { map: this.#map(schema) };
    if (type === 'array') return { list: this.#list(schema) };
    const scalar = SCALARS[type];
    return scalar === undefined ? deducedShape : { scalar };
  }

  #map(schema: Schema): MapShape {
    const properties = propertiesOf(schema);
    const shapes = new Map<string, Shape>();
    const rest = this.#rest(schema);
    return {
      atomic: schema['x-kubernetes-map-type'] === 'atomic',
      field: (name) => {
        const property = properties.get(name);
        if (property === undefined) return undefined;
        const shape = shapes.get(name) ?? this.#below(property);
        shapes.set(name, shape);
        return shape;
      },
      ...(rest !== undefined && { rest }),
      keyDefault: (name) => properties.get(name)?.default,
    };
  }

  #below(schema: Schema): Shape {
    return schema['x-kubernetes-embedded-resource'] === true ? this.resource(schema) : this.#of(schema);
  }

  /** The shape of keys that are not properties; deduced if the schema preserves unknown fields or allows any key. */
  #rest(schema: Schema): Shape | undefined {
    const additional = additionalOf(schema);
    if (additional !== undefined) return this.#below(additional);
    const open =
      schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true;
    return open ? deducedShape : undefined;
  }

  #list(schema: Schema): ListShape {
    const items = itemsOf(schema);
    const listType = schema['x-kubernetes-list-type'] ?? 'atomic';
    return {
      atomic: listType === 'atomic',
      keys: listType === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : [],
      element: items === undefined ? deducedShape : this.#below(items),
    };
  }
}

const NOTHING: MapShape = { atomic: false, field: () => undefined };
