import {
  countValues,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MOST_VALUES,
  TooLargeError,
} from '../../json/index.ts';
import { child, index } from '../field-errors/index.ts';
import { MOST_FAULTS } from '../fields/index.ts';
import { additionalOf, defaultOf, itemsOf, propertiesOf, type Schema } from './schema.ts';

export interface Shaped {
  readonly value: JsonObject;
  /** The paths of unknown fields, at most {@link MOST_FAULTS}, sorted: `spec.items[0].junk`. */
  readonly unknown: readonly string[];
}

/** Reads the metadata of an embedded resource at a path. Unknown fields are dropped and reported. */
export type ReadMetadata = (metadata: JsonValue, path: string, unknown: string[]) => JsonValue;

const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Gives an object the shape of its schema in one walk. Unknown fields and forbidden nulls are dropped, and defaults
 * are set. Values of any type stay unchanged, as do the object's own metadata, apiVersion and kind. `value` is not
 * changed; the result may share parts with it.
 */
export function shapeObject(schema: Schema, value: JsonObject, readMetadata: ReadMetadata): Shaped {
  const unknown: string[] = [];
  const shaper = new Shaper(unknown, readMetadata);
  const shaped = shaper.object({ schema, isResource: true, path: '' }, value);
  return { value: shaped, unknown: unknown.toSorted() };
}

/** Returns a default without unknown fields. Sets no defaults in it. */
export function shapeDefault(schema: Schema, value: JsonValue): JsonValue {
  const shaper = new Shaper([], (metadata) => metadata, false);
  return shaper.value(below(schema, ''), value);
}

interface Place {
  /** The schema; undefined if the value here is unknown. Then the fields of objects are dropped. */
  readonly schema: Schema | undefined;
  readonly isResource: boolean;
  readonly path: string;
}

class Shaper {
  readonly #unknown: string[];
  readonly #readMetadata: ReadMetadata;

  readonly #fills: boolean;
  #filled = 0;

  constructor(unknown: string[], readMetadata: ReadMetadata, fills = true) {
    this.#unknown = unknown;
    this.#readMetadata = readMetadata;
    this.#fills = fills;
  }

  object(place: Place, value: JsonObject): JsonObject {
    const { schema } = place;
    const properties = schema === undefined ? NONE : propertiesOf(schema);
    const shaped: JsonObject = {};
    for (const [name, given] of Object.entries(value)) {
      const own = properties.get(name) ?? (schema && additionalOf(schema));
      const kept = this.#member(place, own, name, given);
      if (kept !== undefined) setOwn(shaped, name, kept);
    }
    if (!this.#fills) return shaped;
    for (const [name, property] of properties) {
      if (defaultOf(property) === undefined || Object.hasOwn(shaped, name)) continue;
      setOwn(shaped, name, this.value(below(property, child(place.path, name)), this.#defaultOf(property)));
    }
    return shaped;
  }

  /** Returns the new value of a field; undefined if it is dropped. */
  #member(place: Place, own: Schema | undefined, name: string, given: JsonValue): JsonValue | undefined {
    const { schema, isResource, path } = place;
    const at = child(path, name);
    if (isResource && META_FIELDS.has(name)) {
      return name === 'metadata' && path !== '' ? this.#readMetadata(given, at, this.#unknown) : given;
    }
    if (own !== undefined) {
      const refused = this.#fills && isForbiddenNull(own, given);
      const filled = () => (defaultOf(own) === undefined ? undefined : this.#defaultOf(own));
      const kept = refused ? filled() : given;
      return kept === undefined ? undefined : this.value(below(own, at), kept);
    }
    if (schema?.additionalProperties !== undefined) return this.value(below(undefined, at), given);
    if (schema?.['x-kubernetes-preserve-unknown-fields'] === true) return given;
    if ((path !== '' || !META_FIELDS.has(name)) && this.#unknown.length < MOST_FAULTS) this.#unknown.push(at);
    return undefined;
  }

  value(place: Place, value: JsonValue): JsonValue {
    if (Array.isArray(value)) return this.#list(place, value);
    return isJsonObject(value) ? this.object(place, value) : value;
  }

  /**
   * Returns a copy of a schema's default. Values are counted first, because a small object can have many large
   * defaults.
   */
  #defaultOf({ default: given = null }: Schema): JsonValue {
    this.#filled += countValues(given, MOST_VALUES);
    if (this.#filled > MOST_VALUES) {
      const limit = { limit: MOST_VALUES, unit: 'JSON values' };
      throw new TooLargeError('the defaults of the object', this.#filled, limit);
    }
    return structuredClone(given);
  }

  #list({ schema, path }: Place, values: readonly JsonValue[]): JsonValue[] {
    const items = schema && itemsOf(schema);
    if (items === undefined && schema?.['x-kubernetes-preserve-unknown-fields'] === true) return [...values];
    return values.map((value, at) => {
      const place = below(items, index(path, at));
      if (this.#fills && items !== undefined && isForbiddenNull(items, value)) {
        return this.value(place, this.#defaultOf(items));
      }
      return this.value(place, value);
    });
  }
}

const NONE: ReadonlyMap<string, Schema> = new Map();

function below(schema: Schema | undefined, path: string): Place {
  return { schema, isResource: schema?.['x-kubernetes-embedded-resource'] === true, path };
}

/** Whether a value is a forbidden null, which is dropped or replaced by a default. */
function isForbiddenNull(schema: Schema, value: JsonValue): boolean {
  return value === null && schema.nullable !== true;
}

/** Sets a field. `__proto__` is an ordinary name. */
function setOwn(object: JsonObject, name: string, value: JsonValue): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
