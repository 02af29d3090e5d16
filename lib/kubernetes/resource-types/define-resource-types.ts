import type { ResourceType } from './resource-type.ts';

/** The properties that a type must define. The others follow from its group or have defaults. */
export type ResourceDefinition = Pick<ResourceType, 'kind' | 'resource'> &
  Partial<Omit<ResourceType, 'group' | 'version'>>;

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

const USUAL = {
  verbs: VERBS,
  shortNames: [],
  categories: [],
  scope: 'Namespaced',
  status: false,
  builtin: true,
  nameRule: 'subdomain',
  fields: [],
  selectors: [],
  properties: {},
} as const satisfies Partial<ResourceType>;

/** Returns the types of one group and version. */
export function defineResourceTypes(
  group: string,
  version: string,
  definitions: readonly ResourceDefinition[],
): ResourceType[] {
  return definitions.map((definition) => ({
    ...USUAL,
    singular: definition.kind.toLowerCase(),
    ...definition,
    group,
    version,
  }));
}
