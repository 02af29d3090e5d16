import { type JsonObject, type JsonValue, objectAt } from '../../json/index.ts';
import type { FieldTable } from '../../kubernetes/fields/index.ts';
import {
  array,
  type BodySelector,
  fields,
  type ResourceType,
  stringMap,
} from '../../kubernetes/resource-types/index.ts';
import { FIELD_COMPONENTS, messageSchemas } from './message-schemas.ts';
import { described, reference, SHARED, sharedSchemas, typeMeta } from './openapi-shared.ts';
import { ownProperties } from './own-properties.ts';

/** The component name of a type, as Kubernetes names it. */
export function schemaName({ group, version, kind, builtin }: ResourceType): string {
  const path = builtin
    ? `io.k8s.api.${group === '' ? 'core' : group.split('.')[0]}`
    : group.split('.').reverse().join('.');
  return `${path}.${version}.${kind}`;
}

/** Returns the components of a document: each type, its list, and the shared components. */
export function openApiSchemas(types: readonly ResourceType[], table: FieldTable): JsonObject {
  const messages = messageSchemas(types, table);
  const own = types.flatMap((type) => [
    [schemaName(type), objectSchema(type, messages.own.get(type))] as const,
    [`${schemaName(type)}List`, listSchema(type)] as const,
  ]);
  return { ...messages.inner, ...FIELD_COMPONENTS, ...Object.fromEntries(own), ...sharedSchemas() };
}

function objectSchema(type: ResourceType, own: JsonObject | undefined): JsonObject {
  const properties = {
    ...typeMeta(),
    metadata: described("The object's name, labels and other metadata.", SHARED.objectMeta),
    ...structuredClone(ownProperties(type)),
  };
  if (own === undefined) {
    for (const selector of type.selectors) describeSelector(properties, selector);
  } else {
    describeFields(properties, own);
  }
  const gvk = [groupVersionKind(type)];
  return { ...fields(type.description, properties), 'x-kubernetes-group-version-kind': gvk };
}

/**
 * Adds the schemas of the fields to `properties`, and keeps the descriptions there. The metadata stays as it is,
 * because all types share it.
 */
function describeFields(properties: JsonObject, own: JsonObject): void {
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...content } = own;
  for (const [name, schema] of Object.entries(content)) {
    const { description } = objectAt(properties[name]);
    const { $ref } = objectAt(schema);
    const told: JsonObject = typeof description === 'string' ? { description } : {};
    properties[name] = $ref === undefined ? { ...objectAt(schema), ...told } : { ...told, allOf: [{ $ref }] };
  }
}

/** Describes a selector of a type at its path, so that the properties of the type need not describe it again. */
function describeSelector(properties: JsonObject, { path, kind }: BodySelector): void {
  const schema =
    kind === 'map'
      ? stringMap('Labels that a selected object must have.')
      : described('Selects objects by label.', SHARED.labelSelector);
  let level = properties;
  for (const name of path.slice(0, -1)) {
    const parent = child(level, name);
    level = child(parent, 'properties');
  }
  level[path.at(-1) ?? ''] = schema;
}

function child(parent: JsonObject, name: string): JsonObject {
  const existing: JsonValue | undefined = parent[name];
  if (typeof existing === 'object' && existing !== null && !Array.isArray(existing)) return existing;
  const created: JsonObject = {};
  parent[name] = created;
  return created;
}

function listSchema(type: ResourceType): JsonObject {
  const { group, version, kind } = type;
  const list = fields(`${kind}List is a list of ${kind}.`, {
    ...typeMeta(),
    metadata: described('The metadata of the list.', SHARED.listMeta),
    items: array('The objects.', reference(schemaName(type))),
  });
  const gvk = [{ group, version, kind: `${kind}List` }];
  return { ...list, required: ['items'], 'x-kubernetes-group-version-kind': gvk };
}

export function groupVersionKind({ group, version, kind }: ResourceType): Record<string, string> {
  return { group, version, kind };
}
