import { type JsonObject, objectAt } from '../../json/index.ts';
import type { Components } from '../../kubernetes/openapi/index.ts';
import { array, fields, type ResourceType, subresourcesOf } from '../../kubernetes/resource-types/index.ts';
import { envelope, itemsOf, RESOURCE_LIST, reference, SHARED, WATCH_EVENT } from './openapi-shared.ts';
import { ownListProperties, ownProperties } from './own-properties.ts';

/** The name of a type's component: Kubernetes' own, or one that begins with the reversed group, as of any custom kind. */
export function schemaName(type: ResourceType, components: Components): string {
  const { group, version, kind } = type;
  return components.nameOf(type) ?? `${group.split('.').reverse().join('.')}.${version}.${kind}`;
}

/** The components of a document: each type, its list, and all that they refer to. */
export function openApiSchemas(types: readonly ResourceType[], components: Components): JsonObject {
  const names = new Set<string>(Object.values(SHARED));
  const own: JsonObject = {};
  for (const type of types) {
    const name = schemaName(type, components);
    if (components.nameOf(type) === undefined) {
      own[name] = objectSchema(type);
      own[`${name}List`] = listSchema(type, name);
    } else {
      for (const one of [name, `${name}List`, ...takenBy(type, components)]) names.add(one);
      if (hasWatchPaths(type)) names.add(WATCH_EVENT);
      if (hasDiscoveryPath(type)) names.add(RESOURCE_LIST);
    }
  }
  const all = Object.entries<JsonObject[string]>({ ...components.with(names), ...own });
  return Object.fromEntries(all.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Whether the document of a type's group has the path of its discovery, as for Kubernetes' own groups. */
export function hasDiscoveryPath({ builtin, custom }: ResourceType): boolean {
  return builtin && custom === undefined;
}

/** Whether a type has paths below `/watch/`, as Kubernetes' own kinds. */
export function hasWatchPaths({ builtin, custom, verbs }: ResourceType): boolean {
  return builtin && custom === undefined && verbs.includes('watch');
}

/** The components of the bodies that the subresources of a type accept. */
function takenBy(type: ResourceType, components: Components): string[] {
  const { group, version } = type;
  const taken = subresourcesOf(type).flatMap(({ takes }) => takes ?? []);
  return taken.flatMap((kind) => components.nameOf({ group, version, ...kind }) ?? []);
}

function objectSchema(type: ResourceType): JsonObject {
  const { properties: _properties, ...schema } = objectAt(type.custom?.schema ?? {});
  const own = fields(type.description ?? '', { ...ownProperties(type), ...envelope('object') });
  return { ...own, ...schema, 'x-kubernetes-group-version-kind': [groupVersionKind(type)] };
}

function listSchema(type: ResourceType, name: string): JsonObject {
  const { group, version, kind } = type;
  const list = fields(`${kind}List is a list of ${kind}`, {
    ...envelope('list'),
    ...ownListProperties(type),
    items: array(itemsOf(kind.toLowerCase()), reference(name)),
  });
  const gvk = [{ group, version, kind: `${kind}List` }];
  return { ...list, required: ['items'], 'x-kubernetes-group-version-kind': gvk };
}

export function groupVersionKind({ group, version, kind }: ResourceType): Record<string, string> {
  return { group, version, kind };
}
