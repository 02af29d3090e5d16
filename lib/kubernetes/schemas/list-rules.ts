import type { FieldError } from '../../selectors/index.ts';
import {
  child,
  forbidden,
  goStrings,
  invalid,
  invalidPrinted,
  key,
  notSupported,
  required,
} from '../field-errors/index.ts';
import { itemsOf, propertiesOf, type Schema } from './schema.ts';

const LIST_TYPE = 'x-kubernetes-list-type';
const LIST_KEYS = 'x-kubernetes-list-map-keys';
const MAP_TYPE = 'x-kubernetes-map-type';

/** Returns the errors in the map type of a schema, which defines the ownership of its fields. */
export function mapTypeErrors(schema: Schema, path: string): FieldError[] {
  const { type = '', [MAP_TYPE]: mapType } = schema;
  if (mapType === undefined) return [];
  const detail = `must be object if ${MAP_TYPE} is specified`;
  const at = child(path, 'type');
  return [
    ...(type === 'object' ? [] : [type === '' ? required(at, detail) : invalid(at, type, detail)]),
    ...(mapType === 'atomic' || mapType === 'granular'
      ? []
      : [notSupported(child(path, MAP_TYPE), mapType, ['atomic', 'granular'])]),
  ];
}

/** Returns the errors in the list type of a schema. */
export function listErrors(schema: Schema, path: string): FieldError[] {
  const { [LIST_TYPE]: listType } = schema;
  return [
    ...listTypeErrors(schema, path),
    ...(listType === undefined || ['atomic', 'set', 'map'].includes(listType)
      ? []
      : [notSupported(child(path, LIST_TYPE), listType, ['atomic', 'set', 'map'])]),
    ...keysWithoutMapErrors(schema, path),
    ...(listType === 'map' ? mapErrors(schema, path) : []),
    ...elementErrors(schema, path),
  ];
}

function listTypeErrors(schema: Schema, path: string): FieldError[] {
  const { type = '', [LIST_TYPE]: listType } = schema;
  if (listType === undefined) return [];
  if (type !== 'array') {
    const detail = `must be array if ${LIST_TYPE} is specified`;
    const at = child(path, 'type');
    return [type === '' ? required(at, detail) : invalid(at, type, detail)];
  }
  return listType === 'set' ? setErrors(itemsOf(schema), child(path, 'items')) : [];
}

/** Checks the elements of a set, which are compared as wholes. */
function setErrors(items: Schema | undefined, path: string): FieldError[] {
  const detail = `must be atomic as item of a list with ${LIST_TYPE}=set`;
  // Upstream shows the list type of the elements in both cases.
  const shown = items?.[LIST_TYPE] ?? 'null';
  if (items?.type === 'array' && (items[LIST_TYPE] ?? 'atomic') !== 'atomic') {
    return [invalid(child(path, LIST_TYPE), shown, detail)];
  }
  return items?.type === 'object' && items[MAP_TYPE] !== 'atomic'
    ? [invalid(child(path, MAP_TYPE), shown, detail)]
    : [];
}

function keysWithoutMapErrors(schema: Schema, path: string): FieldError[] {
  const { [LIST_TYPE]: listType, [LIST_KEYS]: keys = [] } = schema;
  if (keys.length === 0 || listType === 'map') return [];
  const at = child(path, LIST_TYPE);
  const detail = `must be map if ${LIST_KEYS} is non-empty`;
  return [listType === undefined ? required(at, detail) : invalid(at, listType, detail)];
}

function mapErrors(schema: Schema, path: string): FieldError[] {
  const { [LIST_KEYS]: keys = [] } = schema;
  const items = itemsOf(schema);
  const at = child(path, 'items');
  return [
    ...(keys.length === 0
      ? [required(child(path, LIST_KEYS), `must not be empty if ${LIST_TYPE} is map`)]
      : []),
    ...(schema.items === undefined ? [required(at, `must have a schema if ${LIST_TYPE} is map`)] : []),
    ...(items !== undefined && items.type !== 'object'
      ? [invalid(child(at, 'type'), items.type ?? '', `must be object if parent array's ${LIST_TYPE} is map`)]
      : []),
    ...(items?.type === 'object' ? keyErrors(keys, items, path) : []),
  ];
}

function keyErrors(keys: readonly string[], items: Schema, path: string): FieldError[] {
  const properties = propertiesOf(items);
  const at = child(path, LIST_KEYS);
  const printed = goStrings(keys);
  const seen = new Set<string>();
  return keys.flatMap((name) => {
    const isAgain = seen.has(name);
    seen.add(name);
    const type = properties.get(name)?.type ?? '';
    const property = key(child(child(path, 'items'), 'properties'), name);
    return [
      ...(properties.has(name)
        ? []
        : [invalidPrinted(at, printed, 'entries must all be names of item properties')]),
      ...(type === 'array' || type === 'object'
        ? [
            invalid(
              child(property, 'type'),
              items.type ?? '',
              `must be a scalar type if parent array's ${LIST_TYPE} is map`,
            ),
          ]
        : []),
      ...(isAgain ? [invalidPrinted(at, printed, 'must not contain duplicate entries')] : []),
    ];
  });
}

/**
 * Checks that elements of sets and maps are not nullable, and that the keys of maps are required or have defaults.
 */
function elementErrors(schema: Schema, path: string): FieldError[] {
  const { [LIST_TYPE]: listType, [LIST_KEYS]: keys = [] } = schema;
  const items = itemsOf(schema);
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return [];
  const at = child(path, 'items');
  const properties = propertiesOf(items);
  const declared = listType === 'map' ? keys.filter((name) => properties.has(name)) : [];
  return [
    ...(items.nullable === true
      ? [forbidden(child(at, 'nullable'), `cannot be nullable when ${LIST_TYPE} is ${listType}`)]
      : []),
    ...declared.flatMap((name) => {
      const property = key(child(at, 'properties'), name);
      const missing =
        !(items.required ?? []).includes(name) && (properties.get(name)?.default ?? null) === null;
      return [
        ...(missing
          ? [
              required(
                child(property, 'default'),
                `this property is in ${LIST_KEYS}, so it must have a default or be a required property`,
              ),
            ]
          : []),
        ...(properties.get(name)?.nullable === true
          ? [
              forbidden(
                child(property, 'nullable'),
                `this property is in ${LIST_KEYS}, so it cannot be nullable`,
              ),
            ]
          : []),
      ];
    }),
  ];
}
