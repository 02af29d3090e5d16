import { type Bodies, fieldAt } from './field-at.ts';
import { isRecord, type JsonSchema, refuse } from './json-schema.ts';

/** How server-side apply merges lists. Without it, the last writer owns a whole list. */
export interface MergedLists {
  /** The fields that identify an item of a list, by the path of the list. */
  readonly lists?: Readonly<Record<string, readonly string[] | undefined>> | undefined;
  /** The paths of lists whose items are values without repetition. */
  readonly sets?: readonly string[] | undefined;
}

/**
 * Returns the schemas with the lists of which several managers own items.
 *
 * @throws {UnsupportedSchemaError} a path names no such list, or a field does not identify its items
 */
export function withMergedLists(bodies: Bodies, { lists = {}, sets = [] }: MergedLists): Bodies {
  const marked: Record<string, JsonSchema> = structuredClone(bodies) as Record<string, JsonSchema>;
  for (const [path, keys] of Object.entries(lists)) {
    if (keys === undefined) continue;
    const items = itemsAt(bodies, path);
    if (keys.length === 0) refuse(path, 'a keyed list needs a field that identifies its items');
    for (const key of keys) refuseKey(items, key, path);
    mark(marked, path, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [...keys] });
  }
  for (const path of sets) {
    const { type, nullable } = itemsAt(bodies, path);
    if (type === 'object' || type === 'array' || type === undefined || nullable === true) {
      refuse(path, 'the items of a set are strings, numbers or booleans, and never null');
    }
    mark(marked, path, { 'x-kubernetes-list-type': 'set' });
  }
  return marked;
}

function itemsAt(bodies: Bodies, path: string): JsonSchema {
  const field = fieldAt(bodies, path);
  if (!isRecord(field?.items)) refuse(path, 'the schema has no list at this path');
  return field.items;
}

function refuseKey({ type, nullable, properties, required }: JsonSchema, key: string, path: string): void {
  if (type !== 'object' || nullable === true) {
    refuse(path, 'the items of a keyed list are objects, and never null');
  }
  const field = isRecord(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  const at = `${path}[].${key}`;
  if (!isRecord(field)) refuse(at, 'the schema has no such field to identify items');
  if (
    field.type === 'object' ||
    field.type === 'array' ||
    field.type === undefined ||
    field.nullable === true
  ) {
    refuse(at, 'a field that identifies items is a string, a number or a boolean, and never null');
  }
  const isGiven = field.default !== undefined || (Array.isArray(required) && required.includes(key));
  if (!isGiven) refuse(at, 'a field that identifies items is required, or has a default');
}

/** Adds keywords to the list at a path. The schemas are a copy, so nothing else shares them. */
function mark(bodies: Bodies, path: string, keywords: JsonSchema): void {
  Object.assign(fieldAt(bodies, path) ?? {}, keywords);
}
