import type { JsonObject, JsonValue } from '../../lib/json/index.ts';

/** `stored`: an object as the server returns it. `input`: as a writer gives it, without fields that have a default. */
export type Form = 'stored' | 'input';

type Schemas = Readonly<Record<string, JsonObject>>;

/** The interfaces of a module. The schema of each interface is one that the module refers to. */
export class Declarations {
  readonly #schemas: Schemas;
  readonly #zeros: boolean;
  /** Names that the module uses for something else. */
  readonly #names = new Set(['Kind', 'Record']);
  readonly #named = new Map<JsonObject, string>();
  readonly #written = new Map<string, readonly string[]>();
  readonly #differing = new Map<JsonObject, boolean>();

  /** @param zeros whether a default that is empty is the zero value of Go, which Kubernetes describes and does not store */
  constructor(schemas: Schemas, zeros: boolean) {
    this.#schemas = schemas;
    this.#zeros = zeros;
  }

  /** Reserves a name: the given one, or one with a number if it is taken. */
  claim(wanted: string): string {
    const plain = wanted.replace(/[^A-Za-z0-9_$]/g, '').replace(/^(?=\d|$)/, '_');
    let name = plain;
    for (let count = 2; this.#names.has(name) || this.#names.has(`${name}Input`); count += 1) {
      name = `${plain}${count}`;
    }
    this.#names.add(name);
    this.#names.add(`${name}Input`);
    return name;
  }

  /** The lines of all interfaces. */
  lines(): readonly string[] {
    return [...this.#written.values()].flatMap((lines) => ['', ...lines]);
  }

  /** The fields of an object as a type literal. */
  bodyOf(schema: JsonObject, name: string, form: Form): string {
    const fields = this.#fields(schema, { name, form }, '  ');
    return fields.length === 0 ? 'Record<never, never>' : `{\n${fields.join('\n')}\n}`;
  }

  /** A description as a doc comment. */
  commentOf(description: JsonValue | undefined, indent: string): readonly string[] {
    if (typeof description !== 'string' || description.trim() === '') return [];
    const lines = description.trim().replaceAll('*/', '*\\/').split('\n').flatMap(wrapped);
    if (lines.length === 1) return [`${indent}/** ${lines[0]} */`];
    return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
  }

  #fields(schema: JsonObject, { name, form }: Place, indent: string): string[] {
    const required = namesIn(schema.required);
    const lines = Object.entries(schemasIn(schema.properties)).flatMap(([field, one]) => {
      const isThere =
        form === 'stored'
          ? required.has(field) || this.#isSet(one)
          : required.has(field) && !this.#isSet(one);
      const type = this.#typeOf(one, { name: `${name}${capital(field)}`, form });
      return [
        ...this.commentOf(one.description ?? this.#resolve(one).description, indent),
        `${indent}${keyOf(field)}${isThere ? '' : '?'}: ${type};`,
      ];
    });
    const isOpen =
      schema['x-kubernetes-preserve-unknown-fields'] === true || isAny(schema.additionalProperties);
    return isOpen && lines.length > 0 ? [...lines, `${indent}[key: string]: unknown;`] : lines;
  }

  #typeOf(given: JsonObject, place: Place): string {
    const schema = this.#resolve(given);
    const type = this.#plainTypeOf(schema, place);
    const isNullable = given.nullable === true || schema.nullable === true;
    return isNullable && type !== 'unknown' && !/(^|\| )null$/.test(type) ? `${type} | null` : type;
  }

  #plainTypeOf(schema: JsonObject, place: Place): string {
    const { type, enum: values, format } = schema;
    if (schema['x-kubernetes-int-or-string'] === true || format === 'int-or-string') return 'number | string';
    if (Array.isArray(values)) return [...new Set(values.map((value) => JSON.stringify(value)))].join(' | ');
    switch (type) {
      case 'string':
      case 'boolean':
        return type;
      case 'integer':
      case 'number':
        return 'number';
      case 'array': {
        const item = this.#typeOf(objectOr(schema.items), { ...place, name: `${place.name}Item` });
        return /^[\w$.]+(\[\])*$|^Record<[^|]*>$/.test(item) ? `${item}[]` : `(${item})[]`;
      }
      default:
        return isObject(schema) ? this.#objectType(schema, place) : this.#unionOf(schema, place);
    }
  }

  /** A union of types without fields, as Kubernetes describes a quantity. */
  #unionOf({ oneOf, anyOf }: JsonObject, place: Place): string {
    const branches = [oneOf, anyOf].find(Array.isArray) ?? [];
    const types = branches.map((branch) => this.#typeOf(objectOr(branch), place));
    return types.length === 0 || types.includes('unknown') ? 'unknown' : [...new Set(types)].join(' | ');
  }

  #objectType(schema: JsonObject, place: Place): string {
    const { properties, additionalProperties } = schema;
    if (Object.keys(schemasIn(properties)).length > 0) return this.#interfaceOf(schema, place);
    if (additionalProperties === undefined || isAny(additionalProperties)) return 'Record<string, unknown>';
    const values = this.#typeOf(objectOr(additionalProperties), { ...place, name: `${place.name}Value` });
    return `Record<string, ${values}>`;
  }

  #interfaceOf(schema: JsonObject, { name, form }: Place): string {
    const named = this.#named.get(schema) ?? this.claim(this.#nameOf(schema) ?? name);
    this.#named.set(schema, named);
    const shown = form === 'input' && this.#differs(schema) ? `${named}Input` : named;
    if (!this.#written.has(shown)) {
      // Reserves the place before the fields, which may refer to this interface.
      this.#written.set(shown, []);
      const fields = this.#fields(schema, { name: named, form }, '  ');
      const comment = this.commentOf(schema.description, '');
      this.#written.set(shown, [...comment, `export interface ${shown} {`, ...fields, '}']);
    }
    return shown;
  }

  /** The last part of the name of a component: `PodSpec` of `io.k8s.api.core.v1.PodSpec`. */
  #nameOf(schema: JsonObject): string | undefined {
    const [name] = Object.entries(this.#schemas).find(([, one]) => one === schema) ?? [];
    return name?.split('.').at(-1);
  }

  /** Whether the two forms of a type differ: a field below has a default. */
  #differs(given: JsonObject): boolean {
    const schema = this.#resolve(given);
    const known = this.#differing.get(schema);
    if (known !== undefined) return known;
    // A type that contains itself differs only by its other fields.
    this.#differing.set(schema, false);
    const differs = this.#reaches(schema, new Set());
    this.#differing.set(schema, differs);
    return differs;
  }

  #reaches(given: JsonObject, passed: Set<JsonObject>): boolean {
    const schema = this.#resolve(given);
    if (passed.has(schema)) return false;
    passed.add(schema);
    const fields = Object.values(schemasIn(schema.properties));
    if (fields.some((field) => this.#isSet(field))) return true;
    const below = [...fields, schema.items, schema.additionalProperties];
    return below.some((one) => this.#reaches(objectOr(one), passed));
  }

  /** Whether the server sets a missing field. */
  #isSet({ default: value }: JsonObject): boolean {
    if (value === undefined || value === null) return false;
    if (!this.#zeros) return true;
    return value !== '' && (typeof value !== 'object' || Object.keys(value).length > 0);
  }

  /** The target of a reference, which Kubernetes may put into `allOf`. */
  #resolve(schema: JsonObject): JsonObject {
    const { $ref, allOf } = schema;
    if (typeof $ref === 'string') {
      return this.#schemas[$ref.replace('#/components/schemas/', '')] ?? {};
    }
    const isWrapper = Array.isArray(allOf) && allOf.length === 1 && schema.type === undefined;
    return isWrapper ? this.#resolve(objectOr(allOf[0])) : schema;
  }
}

interface Place {
  /** The name of an interface here, if the schema has none. */
  readonly name: string;
  readonly form: Form;
}

function isObject({
  type,
  properties,
  additionalProperties,
  'x-kubernetes-int-or-string': mixed,
}: JsonObject): boolean {
  return type === 'object' || (mixed !== true && (properties ?? additionalProperties) !== undefined);
}

function isAny(schema: JsonValue | undefined): boolean {
  if (schema === true) return true;
  const { description: _description, ...rest } = objectOr(schema);
  return schema !== undefined && schema !== false && Object.keys(rest).join() === '';
}

function objectOr(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : NOTHING;
}

const NOTHING: JsonObject = {};

function schemasIn(properties: JsonValue | undefined): Schemas {
  return objectOr(properties) as Schemas;
}

function namesIn(required: JsonValue | undefined): ReadonlySet<unknown> {
  return new Set(Array.isArray(required) ? required : []);
}

function keyOf(field: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(field) ? field : JSON.stringify(field);
}

function capital(field: string): string {
  const parts = field.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
}

const WIDTH = 110;

function wrapped(line: string): string[] {
  const lines: string[] = [];
  for (const word of line.trim().split(/\s+/)) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trimStart();
    if (longer.length <= WIDTH) lines.pop();
    lines.push(longer.length <= WIDTH ? longer : word);
  }
  return lines;
}
