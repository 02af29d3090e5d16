import type { Meter } from '../meter.ts';
import { CelError, equal, MapValue, typeNameOf, type Value } from '../values/index.ts';

/** The value of `Object{…}` or `Object.spec{…}`. It is no map for the functions of maps. */
export class ObjectValue extends MapValue {
  readonly fields: MapValue;
  readonly #name: string;

  constructor(name: string, fields: MapValue) {
    super();
    this.#name = name;
    this.fields = fields;
  }

  override get typeName(): string {
    return this.#name;
  }

  override get size(): number {
    return this.fields.size;
  }

  override find(key: Value): Value | undefined {
    return this.fields.find(key);
  }

  override keys(): Iterable<Value> {
    return this.fields.keys();
  }

  override equals(other: Value, meter: Meter): boolean {
    return (
      other instanceof ObjectValue &&
      other.typeName === this.typeName &&
      equal(this.fields, other.fields, meter) === true
    );
  }
}

const TEXTS: readonly string[] = ['op', 'path', 'from'];

/** Go's names of types, by those of expressions. */
const GO_TYPES: Readonly<Record<string, string>> = {
  int: 'int64',
  uint: 'uint64',
  double: 'float64',
  bytes: '[]uint8',
  null_type: 'structpb.NullValue',
};

/** The value of `JSONPatch{…}`. A text that is not given is empty. */
export class PatchValue extends MapValue {
  readonly #fields: MapValue;

  private constructor(fields: MapValue) {
    super();
    this.#fields = fields;
  }

  /** Returns the value, or an error where a dynamic value is no text, or is of another field. */
  static of(fields: MapValue): PatchValue | CelError {
    const other = [...fields.keys()].find((name) => name !== 'value' && !TEXTS.includes(String(name)));
    if (other !== undefined) return new CelError(`unexpected JSONPatchType field: ${other}`);
    for (const name of TEXTS) {
      const value = fields.find(name);
      if (value === undefined || typeof value === 'string') continue;
      const type = typeNameOf(value);
      return new CelError(`unexpected type ${GO_TYPES[type] ?? type} for JSONPatchType '${name}' field`);
    }
    return new PatchValue(fields);
  }

  override get typeName(): string {
    return 'JSONPatch';
  }

  override get size(): number {
    return this.#fields.size;
  }

  get value(): Value | undefined {
    return this.#fields.find('value');
  }

  /** Returns `op`, `path` or `from`. */
  text(name: string): string {
    const text = this.#fields.find(name);
    return typeof text === 'string' ? text : '';
  }

  override find(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    return TEXTS.includes(key) ? this.text(key) : this.#fields.find(key);
  }

  override keys(): Iterable<Value> {
    return this.#fields.keys();
  }

  override equals(other: Value, meter: Meter): boolean {
    return (
      other instanceof PatchValue &&
      TEXTS.every((name) => this.text(name) === other.text(name)) &&
      equal(this.value ?? null, other.value ?? null, meter) === true
    );
  }
}
