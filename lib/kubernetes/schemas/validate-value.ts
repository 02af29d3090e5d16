import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import { type FieldError, formatFieldError } from '../../selectors/index.ts';
import { child, duplicate, index, invalid, key, required, spoken, tooMany } from '../field-errors/index.ts';
import { isUnchanged, oldElements } from './correlate.ts';
import { junctorErrors } from './junctors.ts';
import { duplicatePositions } from './list-identity.ts';
import type { Patterns } from './patterns.ts';
import { scalarErrors } from './scalar-rules.ts';
import { additionalOf, itemsOf, propertiesOf, type Schema } from './schema.ts';
import { typeError } from './type-rules.ts';

/** The context of one value during the check. */
interface Site {
  /**
   * The position of the value below the validated one, in kube-openapi's notation: `.spec.items[0].key`, `''` for the
   * whole.
   */
  readonly name: string;
  /** The same position as a field path, with map keys in brackets. */
  readonly path: string;
  /** The old value; undefined if there is none or if it cannot be correlated. */
  readonly old: JsonValue | undefined;
}

export interface Findings {
  /** The violations of the schema. */
  readonly errors: readonly FieldError[];
  /** The duplicate elements of sets and maps. */
  readonly duplicates: readonly FieldError[];
}

/**
 * Checks a value against a structural schema in one walk, with the messages of k8s.io/kube-openapi/pkg/validation.
 * Errors in unchanged parts are ignored, as in Kubernetes' ratcheting.
 *
 * @param prefix the position of the value in its object: `''`, `status`, the path of a default
 */
export function validateValue(options: {
  readonly schema: Schema;
  readonly value: JsonValue;
  readonly old?: JsonValue;
  readonly prefix: string;
  readonly patterns: Patterns;
}): Findings {
  const { schema, value, old, prefix, patterns } = options;
  patterns.refill();
  const walker = new ValueWalker(prefix, patterns);
  const errors = withoutRepetition(walker.errorsOf(schema, value, { name: '', path: prefix, old }));
  return { errors, duplicates: walker.duplicates };
}

/** Removes repeated errors, which several schemas may report for the same value. */
function withoutRepetition(errors: readonly FieldError[]): FieldError[] {
  return [...new Map(errors.map((error) => [formatFieldError(error), error])).values()];
}

/**
 * The maximum number of checks for one object: values multiplied by the schemas that each is checked against. `anyOf`
 * and similar keywords check values again.
 */
const MOST_CHECKS = 500_000;
/** The number of enum comparisons that count as one check. */
const COMPARED = 4;

class ValueWalker {
  readonly duplicates: FieldError[] = [];
  readonly #prefix: string;
  readonly #patterns: Patterns;
  #checks = 0;
  #stopped = false;

  constructor(prefix: string, patterns: Patterns) {
    this.#prefix = prefix;
    this.#patterns = patterns;
  }

  errorsOf(schema: Schema, value: JsonValue, site: Site): FieldError[] {
    this.#checks += 1 + Math.floor((schema.enum?.length ?? 0) / COMPARED);
    if (this.#checks > MOST_CHECKS) return this.#stopped ? [] : [this.#tooMuch(site)];
    const errors = this.#found(schema, value, site);
    const ratcheted = errors.length > 0 && site.old !== undefined && isUnchanged(schema, value, site.old);
    return ratcheted ? [] : errors;
  }

  #tooMuch({ name }: Site): FieldError {
    this.#stopped = true;
    const detail = 'cannot be validated: the schema has too many alternatives for an object of this size';
    return invalid(this.#fieldOf(name), 'object', detail);
  }

  #found(schema: Schema, value: JsonValue, site: Site): FieldError[] {
    const at = { name: site.name, field: this.#fieldOf(site.name) };
    const type = typeError(schema, value, at);
    const own = [...(type === undefined ? [] : [type])];
    if (value !== null) {
      const check = (each: Schema) => this.errorsOf(each, value, { ...site, old: undefined });
      addAll(own, junctorErrors(schema, { value: spoken(site.name), path: this.#prefix }, check));
    }
    addAll(own, scalarErrors(schema, value, { ...at, patterns: this.#patterns }));
    if (Array.isArray(value)) addAll(own, this.#listErrors(schema, value, site));
    if (isJsonObject(value)) addAll(own, this.#objectErrors(schema, value, site));
    return own;
  }

  #listErrors(schema: Schema, values: readonly JsonValue[], { name, path, old }: Site): FieldError[] {
    const { minItems, maxItems } = schema;
    const items = itemsOf(schema);
    const field = this.#fieldOf(name);
    addAll(this.duplicates, duplicatesOf(schema, values, path));
    const before = oldElements(schema, old);
    const errors =
      items === undefined
        ? []
        : values.flatMap((value, at) =>
            this.errorsOf(items, value, {
              name: index(name, at),
              path: index(path, at),
              old: before(value),
            }),
          );
    if (minItems !== undefined && values.length < minItems) {
      const detail = `${spoken(name)} in body should have at least ${minItems} items`;
      errors.push(invalid(field, values.length, detail));
    }
    if (maxItems !== undefined && values.length > maxItems) {
      errors.push(tooMany(field, values.length, maxItems));
    }
    return errors;
  }

  #objectErrors(schema: Schema, value: JsonObject, site: Site): FieldError[] {
    const properties = propertiesOf(schema);
    const additional = additionalOf(schema);
    const errors = sizeErrors(schema, value, { name: site.name, field: this.#fieldOf(site.name) });
    for (const [name, member] of Object.entries(value)) {
      const property = properties.get(name);
      const own = property ?? additional;
      if (own !== undefined) {
        const path = property === undefined ? key(site.path, name) : child(site.path, name);
        addAll(
          errors,
          this.errorsOf(own, member, {
            name: `${site.name}.${name}`,
            path,
            old: oldMember(site, name),
          }),
        );
      } else if (schema.additionalProperties === false) {
        const detail = `${spoken(site.name)}.${name} in body is a forbidden property`;
        errors.push(invalid(this.#fieldOf(site.name), name, detail));
      }
    }
    const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(value, name));
    // Their number depends on the schema, even for a small object.
    this.#checks += missing.length;
    if (this.#checks <= MOST_CHECKS) {
      addAll(
        errors,
        missing.map((name) => required(this.#fieldOf(`${site.name}.${name}`))),
      );
    }
    return errors;
  }

  #fieldOf(name: string): string {
    return name === '' ? this.#prefix : child(this.#prefix, spoken(name));
  }
}

/** Appends in a loop. Spread arguments might exceed the stack. */
function addAll(errors: FieldError[], more: readonly FieldError[]): void {
  for (const error of more) errors.push(error);
}

function sizeErrors(
  { minProperties, maxProperties }: Schema,
  value: JsonObject,
  { name, field }: { name: string; field: string },
): FieldError[] {
  const size = Object.keys(value).length;
  if (minProperties !== undefined && size < minProperties) {
    return [invalid(field, size, `${spoken(name)} in body should have at least ${minProperties} properties`)];
  }
  return maxProperties !== undefined && size > maxProperties ? [tooMany(field, size, maxProperties)] : [];
}

/** Returns the old value of a field or map key. An apiVersion or kind of the whole object has none. */
function oldMember({ old, path }: Site, name: string): JsonValue | undefined {
  if (!isJsonObject(old) || !Object.hasOwn(old, name)) return undefined;
  return path === '' && (name === 'apiVersion' || name === 'kind') ? undefined : old[name];
}

function duplicatesOf(schema: Schema, values: readonly JsonValue[], path: string): FieldError[] {
  const { 'x-kubernetes-list-type': listType, 'x-kubernetes-list-map-keys': keys = [] } = schema;
  if (listType === 'set') {
    return duplicatePositions(values).map((at) => duplicate(index(path, at), values[at] ?? null));
  }
  if (listType !== 'map') return [];
  const odd = values.findIndex((value) => value !== null && !isJsonObject(value));
  if (odd !== -1) {
    const detail = 'must be an object for an array of list-type map';
    return [invalid(index(path, odd), values[odd] ?? null, detail)];
  }
  const identities = values.map((value) => pick(isJsonObject(value) ? value : {}, keys));
  return duplicatePositions(identities).map((at) => duplicate(index(path, at), identities[at] ?? null));
}

function pick(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(value, name) ? [[name, value[name] ?? null]] : [])),
  );
}
