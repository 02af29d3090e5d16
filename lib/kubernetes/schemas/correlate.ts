import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import { sameValue } from './same-value.ts';
import { additionalOf, itemsOf, propertiesOf, type Schema } from './schema.ts';

/**
 * Returns a lookup of the old element that has the same keys as an element. Only lists of the type `map` have such
 * elements (k8s.io/apiserver/pkg/cel/common, MapList).
 */
export function oldElements(
  schema: Schema,
  old: JsonValue | undefined,
): (element: JsonValue) => JsonValue | undefined {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old)) return () => undefined;
  const byKeys = new Map<string, JsonValue>();
  for (const element of old) {
    const keys = keysOf(schema, element);
    if (keys !== undefined && !byKeys.has(keys)) byKeys.set(keys, element);
  }
  return (element) => byKeys.get(keysOf(schema, element) ?? '');
}

/** Returns the identity of a list element: the values of its keys. Undefined if a key has no value that is a scalar. */
function keysOf(schema: Schema, element: JsonValue): string | undefined {
  const names = schema['x-kubernetes-list-map-keys'] ?? [];
  if (!isJsonObject(element) || names.length === 0) return undefined;
  const values = names.map((name) => (Object.hasOwn(element, name) ? element[name] : undefined));
  const isComplete = values.every((value) => ['string', 'number', 'boolean'].includes(typeof value));
  return isComplete ? JSON.stringify(values) : undefined;
}

/**
 * Whether a value is the same as its old value (k8s.io/apiserver/pkg/cel/common, CorrelatedObject.CachedDeepEqual). The
 * elements of a list of the type `map` may have another order. An object with a field that its schema does not declare
 * counts as changed.
 */
export function isUnchanged(schema: Schema, value: JsonValue, old: JsonValue): boolean {
  if (Array.isArray(value)) {
    return Array.isArray(old) && value.length === old.length && sameElements(schema, value, old);
  }
  if (!isJsonObject(value)) return value === old;
  return isJsonObject(old) && sameMembers(schema, value, old);
}

function sameElements(schema: Schema, values: readonly JsonValue[], old: JsonValue[]): boolean {
  const items = itemsOf(schema);
  if (schema['x-kubernetes-list-type'] !== 'map' || items === undefined) return sameValue([...values], old);
  const before = oldElements(schema, old);
  return values.every((value) => {
    const element = before(value);
    return element !== undefined && isUnchanged(items, value, element);
  });
}

function sameMembers(schema: Schema, value: JsonObject, old: JsonObject): boolean {
  const names = Object.keys(value);
  const properties = propertiesOf(schema);
  return (
    names.length === Object.keys(old).length &&
    names.every((name) => {
      const own = properties.get(name) ?? additionalOf(schema);
      const [member, before] = [value[name] ?? null, old[name] ?? null];
      return own !== undefined && Object.hasOwn(old, name) && isUnchanged(own, member, before);
    })
  );
}
