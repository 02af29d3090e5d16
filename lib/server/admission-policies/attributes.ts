import type { JsonObject } from '../../json/index.ts';
import type {
  AdmissionAttributes,
  EquivalentResource,
  GroupVersionKind,
} from '../../kubernetes/admission-match/index.ts';
import { NAMESPACES } from '../../kubernetes/lifecycle/index.ts';
import {
  collectionOfType,
  type ResourceType,
  subresourcesOf,
} from '../../kubernetes/resource-types/index.ts';
import type { ApiRequest, ResourceRoute, RuledWrite } from '../http/index.ts';
import { versionsOf } from '../objects/index.ts';

const OPTIONS = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const;

export interface AttributesOptions {
  readonly request: ApiRequest;
  readonly route: ResourceRoute;
}

/** What policies see of a write. */
export function attributesOf(write: RuledWrite, { request, route }: AttributesOptions): AdmissionAttributes {
  const { type, subresource } = route;
  const { operation, name = route.name, object, oldObject, dryRun } = write;
  const { group, version, resource } = type;
  const { username, uid = '', groups, extra = {} } = request.user;
  return {
    operation,
    kind: kindOf(type, subresource),
    resource: { group, version, resource },
    subresource,
    name,
    namespace: collectionOfType(type) === NAMESPACES ? name : route.namespace,
    user: { name: username, uid, groups, extra },
    dryRun,
    options: optionsOf(write, request.query),
    object,
    oldObject,
  };
}

/** The kind of the body of a request for a type, or for its subresource. */
export function kindOf(type: ResourceType, subresource: string): GroupVersionKind {
  const { group, version, kind } = type;
  const taken = subresourcesOf(type).find(({ name }) => name === subresource)?.takes;
  return { group, version, kind, ...taken };
}

/** The CreateOptions, UpdateOptions or DeleteOptions. As in kube-apiserver, a patch has UpdateOptions, and CONNECT none. */
function optionsOf(
  { operation, dryRun, options }: RuledWrite,
  query: URLSearchParams,
): JsonObject | undefined {
  if (operation === 'CONNECT') return undefined;
  const named = (parameter: string) => {
    const value = query.get(parameter) ?? '';
    return value === '' ? {} : { [parameter]: value };
  };
  return {
    kind: OPTIONS[operation],
    apiVersion: 'meta.k8s.io/v1',
    ...(dryRun && { dryRun: ['All'] }),
    ...(operation === 'DELETE' ? options : { ...named('fieldManager'), ...named('fieldValidation') }),
  };
}

/** A type that serves the same objects, and how policies name it. */
export interface Equivalent extends EquivalentResource {
  readonly type: ResourceType;
}

/**
 * The types that serve the same objects in another version or group.
 *
 * @param custom all custom types
 */
export function equivalentsOf(
  { type, subresource }: ResourceRoute,
  custom: readonly ResourceType[],
): readonly Equivalent[] {
  const { group, resource } = type;
  const all =
    type.custom === undefined
      ? versionsOf(type)
      : custom.filter((other) => other.group === group && other.resource === resource);
  return all
    .filter((other) => other.version !== type.version || other.group !== group)
    .map((other) => ({
      type: other,
      resource: { group: other.group, version: other.version, resource: other.resource },
      kind: kindOf(other, subresource),
    }));
}
