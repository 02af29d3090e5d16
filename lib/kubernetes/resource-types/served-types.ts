/** The resource types this API serves: one table, split by API group. */

import { core } from './core/index.ts';
import {
  admissionregistration,
  apiextensions,
  apiregistration,
  apps,
  authentication,
  authorization,
  autoscaling,
  batch,
  certificates,
  coordination,
  discovery,
  events,
  flowcontrol,
  networking,
  node,
  policy,
  rbac,
  scheduling,
  storage,
  winnow,
} from './groups/index.ts';
import type { ResourceType } from './resource-type.ts';

/** All types in the order of discovery: the core group first, the others by name. */
export const resourceTypes: readonly ResourceType[] = [
  ...core,
  ...admissionregistration,
  ...apiextensions,
  ...apiregistration,
  ...apps,
  ...authentication,
  ...authorization,
  ...autoscaling,
  ...batch,
  ...certificates,
  ...coordination,
  ...discovery,
  ...events,
  ...flowcontrol,
  ...networking,
  ...node,
  ...policy,
  ...rbac,
  ...scheduling,
  ...storage,
  ...winnow,
];

const byPath: ReadonlyMap<string, ResourceType> = new Map(
  resourceTypes.map((type) => [`${type.group}/${type.version}/${type.resource}`, type]),
);

/** Returns the type for a group (`''` for core), version and plural in a URL; `undefined` if there is none. */
export function findResourceType(group: string, version: string, resource: string): ResourceType | undefined {
  return byPath.get(`${group}/${version}/${resource}`);
}

const groups: ReadonlySet<string> = new Set(resourceTypes.map(({ group }) => group));

/** Whether a group belongs to this API. Custom kinds cannot be in such a group. */
export function isBuiltinGroup(group: string): boolean {
  return groups.has(group);
}
export { array, boolean, fields, integer, object, stringMap, time } from './schema-fields.ts';
