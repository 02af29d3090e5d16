import type { JsonObject } from '../../../json/index.ts';
import { type Names, specOf, statusOf, versionsOf } from './definition.ts';

/** A definition with what follows from what it says: the names left out, the conversion, the stored version. */
export function defaultDefinition(definition: JsonObject): JsonObject {
  const { names, conversion, ...spec } = specOf(definition);
  const named = { ...names, singular: singularOf(names), ...listKindOf(names) };
  const converted = conversion ?? { strategy: 'None' };
  return { ...definition, spec: { ...spec, names: named, conversion: converted } as unknown as JsonObject };
}

/** The state of a definition that is created: nothing is accepted yet. */
export function newDefinition(definition: JsonObject): JsonObject {
  return withStoredVersion({
    ...definition,
    status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: [] },
  });
}

/** The state of a definition whose spec is replaced: its status stays, and remembers every version that stored. */
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

function singularOf({ singular = '', kind }: Names): string {
  return singular === '' ? kind.toLowerCase() : singular;
}

function listKindOf({ listKind = '', kind }: Names): { listKind?: string } {
  if (listKind !== '') return { listKind };
  return kind === '' ? {} : { listKind: `${kind}List` };
}
