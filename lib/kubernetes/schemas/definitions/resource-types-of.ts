import { type JsonObject, objectAt } from '../../../json/index.ts';
import {
  apiVersionOf,
  type CustomKind,
  type ResourceType,
  type Scaling,
  SELECTS,
} from '../../resource-types/index.ts';
import { propertiesOf } from '../schema.ts';
import {
  type DefinitionSpec,
  isTrue,
  type Names,
  type ScalePaths,
  specOf,
  statusOf,
  type Version,
  versionsOf,
} from './definition.ts';
import { columnsOf } from './printer-columns.ts';
import { compareVersions } from './version-order.ts';

/** The verbs in the order of upstream's discovery. */
const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
/** The fields of every object, whose schemas are the same for all. */
const COMMON: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Returns the served types of a definition: one per version, the most stable first, with the accepted names. Empty
 * before the definition is established.
 */
export function resourceTypesOf(definition: JsonObject): ResourceType[] {
  const spec = specOf(definition);
  const status = statusOf(definition);
  if (!isTrue(status, 'Established')) return [];
  const shared = sharedOf(definition, spec);
  return versionsOf(spec)
    .filter(({ served }) => served)
    .toSorted((one, other) => compareVersions(one.name, other.name))
    .map((version) => ({
      ...namesOf(status.acceptedNames),
      ...typeOf(version),
      statusKeeps: 'metadata',
      countsGeneration: true,
      custom: customKindOf(version, shared),
      group: spec.group,
      scope: spec.scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    }));
}

/** The properties that all versions of a custom kind share. */
type Shared = Omit<CustomKind, 'schema' | 'warning'> & Pick<DefinitionSpec, 'group' | 'names'>;

function sharedOf(definition: JsonObject, spec: DefinitionSpec): Shared {
  const { uid, generation, deletionTimestamp, annotations } = objectAt(definition.metadata);
  const { [SELECTS]: selects } = objectAt(annotations);
  const { group, names } = spec;
  const versions = versionsOf(spec);
  const apiVersion = ({ name: version }: Version) => apiVersionOf({ group, version });
  const stored = versions.find(({ storage }) => storage);
  return {
    group,
    names,
    uid: String(uid),
    generation: Number(generation ?? 0),
    isTerminating: deletionTimestamp !== undefined,
    ...(spec.conversion?.strategy === 'Webhook' && { convertsByWebhook: true }),
    ...(typeof selects === 'string' && { selects }),
    storedAs: stored === undefined ? '' : apiVersion(stored),
    schemas: new Map(versions.map((version) => [apiVersion(version), schemaOf(version)])),
  };
}

function customKindOf(version: Version, { group, names, ...shared }: Shared): CustomKind {
  const { name, deprecated = false, deprecationWarning } = version;
  const warning =
    deprecationWarning ?? `${apiVersionOf({ group, version: name })} ${names.kind} is deprecated`;
  return { ...shared, schema: schemaOf(version), ...(deprecated && { warning }) };
}

function schemaOf({ schema }: Version): JsonObject {
  return (schema?.openAPIV3Schema ?? {}) as JsonObject;
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
    ...(version.subresources?.scale !== undefined && { scale: scalingOf(version.subresources.scale) }),
    builtin: false,
    nameRule: 'subdomain',
    fields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./, '')),
    selectors: [],
    columns: columnsOf(version.additionalPrinterColumns),
    description: schema.description ?? '',
    properties: Object.fromEntries(own) as unknown as ResourceType['properties'],
  } as const;
}

function scalingOf({ specReplicasPath, statusReplicasPath, labelSelectorPath = '' }: ScalePaths): Scaling {
  const dotted = (path: string) => path.replace(/^\./, '');
  return {
    selector: 'text',
    paths: {
      replicas: dotted(specReplicasPath),
      observed: dotted(statusReplicasPath),
      ...(labelSelectorPath !== '' && { selector: dotted(labelSelectorPath) }),
    },
  };
}
