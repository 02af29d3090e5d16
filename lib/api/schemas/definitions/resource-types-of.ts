import type { JsonObject } from '../../../store/index.ts';
import type { ResourceType } from '../../resource-types/index.ts';
import { propertiesOf } from '../schema.ts';
import { isTrue, type Names, specOf, statusOf, type Version, versionsOf } from './definition.ts';
import { columnsOf } from './printer-columns.ts';
import { compareVersions } from './version-order.ts';

/** In the order of upstream's discovery. */
const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
/** Every object has them; their schemas are the same for all. */
const COMMON: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * The types that a definition has served: one a version, the most stable first, under the names that it has been
 * accepted. None before it is established.
 */
export function resourceTypesOf(definition: JsonObject): ResourceType[] {
  const spec = specOf(definition);
  const status = statusOf(definition);
  if (!isTrue(status, 'Established')) return [];
  return versionsOf(spec)
    .filter(({ served }) => served)
    .toSorted((one, other) => compareVersions(one.name, other.name))
    .map((version) => ({
      ...namesOf(status.acceptedNames),
      ...typeOf(version),
      group: spec.group,
      scope: spec.scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    }));
}

function namesOf({ plural, kind, singular = '', shortNames = [], categories = [] }: Names) {
  return { resource: plural, kind, singular, shortNames, categories };
}

function typeOf(version: Version) {
  const schema = version.schema?.openAPIV3Schema ?? {};
  const own = [...propertiesOf(schema)].filter(([name]) => !COMMON.has(name));
  return {
    version: version.name,
    verbs: VERBS,
    status: version.subresources?.status !== undefined,
    builtin: false,
    nameRule: 'subdomain',
    fields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./, '')),
    selectors: [],
    columns: columnsOf(version.additionalPrinterColumns),
    description: schema.description ?? '',
    properties: Object.fromEntries(own) as unknown as ResourceType['properties'],
  } as const;
}
