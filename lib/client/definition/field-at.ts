import { INT_OR_STRING, type JsonSchema, refuse } from './json-schema.ts';

/** The structural schemas of `spec` and `status`. */
export type Bodies = Readonly<Record<string, JsonSchema>>;

/** The types that Kubernetes selects by. It refuses `number`, because numbers have several spellings. */
const SELECTABLE = new Set(['string', 'integer', 'boolean']);
const SCALAR = new Set([...SELECTABLE, 'number']);
const MOST_SELECTABLE = 8;

/**
 * Returns the field at a path such as `spec.radio.band`, or `spec.bands[].rate` for a field of each item of a list;
 * undefined if there is none.
 */
export function fieldAt(bodies: Bodies, path: string): JsonSchema | undefined {
  let schema: JsonSchema | undefined = { properties: bodies };
  for (const part of path.split('.')) {
    const [, name = '', items = ''] = /^(.*?)((?:\[\])*)$/.exec(part) ?? [];
    schema = childOf(schema, 'properties', name);
    for (let depth = 0; depth < items.length; depth += 2) schema = childOf({ ...schema }, 'items');
  }
  return schema;
}

function childOf(schema: JsonSchema | undefined, keyword: string, name?: string): JsonSchema | undefined {
  const inner = schema?.[keyword] as JsonSchema | undefined;
  if (name === undefined) return inner;
  return inner !== undefined && Object.hasOwn(inner, name) ? (inner[name] as JsonSchema) : undefined;
}

/**
 * Returns the selectable fields of a definition.
 *
 * @throws {UnsupportedSchemaError} a path names no field with a single value
 */
export function selectableFields(bodies: Bodies, paths: readonly string[]): { jsonPath: string }[] {
  const [beyond] = paths.slice(MOST_SELECTABLE);
  if (beyond !== undefined) {
    refuse(beyond, `a definition has ${MOST_SELECTABLE} selectable fields at most`);
  }
  return paths.map((path) => {
    const field = path.includes('[') ? undefined : fieldAt(bodies, path);
    if (field === undefined) refuse(path, 'a selectable path needs a field of the schema');
    if (!SELECTABLE.has(String(field.type))) {
      const why = `a selectable field is a string, an integer or a boolean, and not ${typeName(field)}`;
      refuse(path, why);
    }
    return { jsonPath: `.${path}` };
  });
}

/**
 * Returns the type of a column of `kubectl get`.
 *
 * @throws {UnsupportedSchemaError} the path names no field with a single value
 */
export function columnType(bodies: Bodies, path: string): string {
  if (/^metadata\..*Timestamp$/.test(path)) return 'date';
  if (path.startsWith('metadata.')) return 'string';
  const field = path.includes('[') ? undefined : fieldAt(bodies, path);
  if (field === undefined) refuse(path, 'a column needs a field of the schema');
  if (field[INT_OR_STRING_KEYWORD] === true) return 'string';
  if (!SCALAR.has(String(field.type))) {
    refuse(path, `a column shows a single value, and not ${typeName(field)}`);
  }
  return field.format === 'date-time' ? 'date' : String(field.type);
}

const [INT_OR_STRING_KEYWORD = ''] = Object.keys(INT_OR_STRING);

function typeName({ type }: JsonSchema): string {
  if (typeof type !== 'string') return 'a value of any type';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
