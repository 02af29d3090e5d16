import type { Meter } from '../meter.ts';
import type { Shape } from '../shape.ts';
import { equal } from './equal.ts';
import { sameJson } from './same-json.ts';
import { type CelError, MapValue, noOverload, type Value } from './value.ts';

type Convert = (json: unknown, shape: Shape) => Value;
type Fields = Readonly<Record<string, unknown>>;

/** The names of an object's fields in JSON, by their names in expressions. */
const NAMES = new WeakMap<object, ReadonlyMap<string, string>>();

function namesOf(fields: NonNullable<Shape['fields']>): ReadonlyMap<string, string> {
  const known = NAMES.get(fields);
  if (known !== undefined) return known;
  const names = new Map(
    [...fields].flatMap(([name, { escaped }]) => (escaped === undefined ? [] : [[escaped, name]])),
  );
  NAMES.set(fields, names as ReadonlyMap<string, string>);
  return names as ReadonlyMap<string, string>;
}

/** An object or a map of an object. A field of an object that is null counts as absent. */
export class JsonMap extends MapValue {
  override readonly json: Fields;
  readonly #shape: Shape;
  readonly #convert: Convert;
  #size: number | undefined;

  constructor(json: Fields, shape: Shape, convert: Convert) {
    super();
    this.json = json;
    this.#shape = shape;
    this.#convert = convert;
  }

  override get size(): number {
    this.#size ??= Object.keys(this.json).length;
    return this.#size;
  }

  override find(key: Value): Value | undefined {
    if (typeof key !== 'string') return noOverload(key);
    const { fields } = this.#shape;
    const name = fields === undefined ? key : namesOf(fields).get(key);
    return name === undefined ? undefined : this.#member(name);
  }

  #member(name: string): Value | undefined {
    const shape = this.#shapeOf(name);
    if (shape === undefined || !Object.hasOwn(this.json, name)) return undefined;
    const json = this.json[name];
    if (json === null && this.#shape.fields !== undefined) return undefined;
    return this.#convert(json, shape);
  }

  #shapeOf(name: string): Shape | undefined {
    const { fields, element } = this.#shape;
    return fields === undefined ? element : fields.get(name)?.shape;
  }

  override *keys(): Generator<Value, undefined> {
    const { fields } = this.#shape;
    for (const name of Object.keys(this.json)) {
      if (this.#shapeOf(name) !== undefined) yield fields?.get(name)?.escaped ?? name;
    }
  }

  override equals(other: Value, meter: Meter): boolean | CelError {
    if (!(other instanceof MapValue)) return noOverload(other);
    if (this.size !== other.size) return false;
    for (const name of Object.keys(this.json)) {
      const same = this.#equalsAt(name, other, meter);
      if (same !== true) return same;
    }
    return true;
  }

  #equalsAt(name: string, other: MapValue, meter: Meter): boolean | CelError {
    const shape = this.#shapeOf(name);
    if (shape !== undefined) {
      const same =
        other instanceof JsonMap ? sameScalar(shape, this.json[name], other.json[name]) : undefined;
      if (same !== undefined) {
        meter.compare();
        return same;
      }
      const found = other instanceof JsonMap ? other.#member(name) : other.find(name);
      return found !== undefined && equal(this.#convert(this.json[name], shape), found, meter);
    }
    if (!(other instanceof JsonMap)) return noOverload(other);
    // Fields without a schema count only where both objects have them, as in kube-apiserver.
    return !Object.hasOwn(other.json, name) || sameJson(this.json[name], other.json[name]);
  }
}

/** Compares plain texts, numbers and booleans without converting them; undefined for other values. */
function sameScalar(shape: Shape, one: unknown, other: unknown): boolean | undefined {
  const type = SCALARS[shape.form];
  return type === undefined || typeof one !== type || typeof other !== type ? undefined : one === other;
}

const SCALARS: Readonly<Partial<Record<Shape['form'], string>>> = {
  string: 'string',
  double: 'number',
  int: 'number',
  bool: 'boolean',
};
