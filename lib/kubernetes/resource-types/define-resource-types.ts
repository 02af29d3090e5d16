import type { ResourceType } from './resource-type.ts';

/** What a type has to say for itself; the rest follows from its group or is the usual. */
export type ResourceDefinition = Pick<ResourceType, 'kind' | 'resource' | 'description'> &
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

/** The types of one group and version. */
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
