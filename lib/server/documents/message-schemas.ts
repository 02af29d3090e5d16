import type { JsonObject } from '../../json/index.ts';
import type { Field, FieldTable, Message } from '../../kubernetes/fields/index.ts';
import { apiVersionOf, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import { reference, typeMeta } from './openapi-shared.ts';

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const NUMBER_OR_TEXT = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString';
const ANYTHING: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };

/** The schema of one value of each scalar type. */
const SCALARS: Readonly<Record<Exclude<Field['type'], 'message'>, JsonObject>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  uint64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  Time: { type: 'string', format: 'date-time' },
  MicroTime: { type: 'string', format: 'date-time' },
  Duration: { type: 'string' },
  Quantity: reference(QUANTITY),
  IntOrString: reference(NUMBER_OR_TEXT),
  Raw: { type: 'object', ...ANYTHING },
  JSON: ANYTHING,
  Fields: { type: 'object', ...ANYTHING },
  SchemaOrBool: ANYTHING,
  SchemaOrArray: ANYTHING,
  SchemaOrStrings: ANYTHING,
};

/** The components that the field table references and that are not messages. */
export const FIELD_COMPONENTS: Readonly<Record<string, JsonObject>> = {
  [QUANTITY]: { type: 'string', description: 'Quantity is an amount: 1.5Gi, 100m, 2.' },
  [NUMBER_OR_TEXT]: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
};

/** Returns the properties of each built-in type, and the components of all messages in them, by name. */
export function messageSchemas(
  types: readonly ResourceType[],
  table: FieldTable,
): { readonly own: ReadonlyMap<ResourceType, JsonObject>; readonly inner: JsonObject } {
  const inner: JsonObject = {};
  const own = new Map<ResourceType, JsonObject>();
  for (const type of types) {
    const message = type.builtin ? table.kind(apiVersionOf(type), type.kind) : undefined;
    if (message !== undefined) own.set(type, propertiesOf(message, inner));
  }
  return { own, inner };
}

function propertiesOf({ fields, envelope }: Message, inner: JsonObject): JsonObject {
  const properties = [...fields.values()].map((field) => [field.name, fieldSchema(field, inner)]);
  return { ...(envelope === true && typeMeta()), ...Object.fromEntries(properties) };
}

function fieldSchema(field: Field, inner: JsonObject): JsonObject {
  const { container, merge, relation, keys } = field;
  const schema = contained(container, valueSchema(field, inner));
  return {
    ...schema,
    ...(merge?.key !== undefined && { 'x-kubernetes-patch-strategy': 'merge' }),
    ...(merge?.key !== undefined && merge.key !== '' && { 'x-kubernetes-patch-merge-key': merge.key }),
    ...(container === 'l' && relation !== undefined && { 'x-kubernetes-list-type': relation }),
    ...(container === 'l' && keys.length > 0 && { 'x-kubernetes-list-map-keys': [...keys] }),
  };
}

function contained(container: string, value: JsonObject): JsonObject {
  if (container === '') return value;
  const within = contained(container.slice(1), value);
  return container.startsWith('l')
    ? { type: 'array', items: within }
    : { type: 'object', additionalProperties: within };
}

function valueSchema({ type, message }: Field, inner: JsonObject): JsonObject {
  if (type !== 'message') return SCALARS[type];
  if (message === undefined) return ANYTHING;
  const name = componentName(message);
  if (inner[name] === undefined) {
    const component: JsonObject = { type: 'object' };
    // Registered before its fields are read, because some messages contain themselves.
    inner[name] = component;
    component.properties = propertiesOf(message, inner);
  }
  return reference(name);
}

/** The component name of a message, as in Kubernetes. */
function componentName({ name }: Message): string {
  return name.startsWith('meta.') ? `io.k8s.apimachinery.pkg.apis.${name}` : `io.k8s.api.${name}`;
}
