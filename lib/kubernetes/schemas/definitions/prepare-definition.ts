import { isJsonObject, type JsonObject } from '../../../json/index.ts';
import { type Conversion, type Names, specOf, statusOf, versionsOf } from './definition.ts';

/** Sets the defaults of a definition: the omitted names and the conversion. */
export function defaultDefinition(definition: JsonObject): JsonObject {
  const { names, conversion, ...spec } = specOf(definition);
  const named = { ...names, singular: singularOf(names), ...listKindOf(names) };
  const converted = conversion === undefined ? { strategy: 'None' } : withPort(conversion);
  return { ...definition, spec: { ...spec, names: named, conversion: converted } as unknown as JsonObject };
}

/** Returns the initial state of a definition: no names are accepted yet. */
export function newDefinition(definition: JsonObject): JsonObject {
  return withStoredVersion({
    ...definition,
    status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: [] },
  });
}

/** Returns the state of a definition with a new spec. Its status is kept and remembers every stored version. */
export function nextDefinition(definition: JsonObject, old: JsonObject): JsonObject {
  return withStoredVersion({ ...definition, status: old.status ?? {} });
}

function withStoredVersion(definition: JsonObject): JsonObject {
  const status = statusOf(definition);
  const stored = status.storedVersions ?? [];
  const storage = versionsOf(specOf(definition)).find((version) => version.storage)?.name;
  const known = storage === undefined || stored.includes(storage);
  const storedVersions = known ? stored : [...stored, storage];
  return { ...definition, status: { ...status, storedVersions } as unknown as JsonObject };
}

/** Gives the Service of a webhook its default port. */
function withPort(conversion: Conversion): Conversion {
  const { webhook } = conversion;
  const { service } = webhook?.clientConfig ?? {};
  if (!isJsonObject(service) || service.port !== undefined) return conversion;
  const clientConfig = { ...webhook?.clientConfig, service: { ...service, port: 443 } };
  return { ...conversion, webhook: { ...webhook, clientConfig } };
}

function singularOf({ singular = '', kind }: Names): string {
  return singular === '' ? kind.toLowerCase() : singular;
}

function listKindOf({ listKind = '', kind }: Names): { listKind?: string } {
  if (listKind !== '') return { listKind };
  return kind === '' ? {} : { listKind: `${kind}List` };
}
