import { collectionOf, type JsonObject, objectAt } from '../../json/index.ts';
import { apiVersionOf } from '../../kubernetes/resource-types/index.ts';
import type { DeclaredCollection } from '../../store/index.ts';

/**
 * Returns the declaration of the collection of a definition's objects. It includes the selectable fields of all
 * versions.
 */
export function declarationOf({ spec }: JsonObject, time: number): DeclaredCollection {
  const { group, names, scope, versions } = objectAt(spec);
  const all = (Array.isArray(versions) ? versions : []).map(objectAt);
  const stored = all.find(({ storage }) => storage === true) ?? {};
  const fields = all.flatMap(({ selectableFields }) =>
    (Array.isArray(selectableFields) ? selectableFields : []).map((field) =>
      String(objectAt(field).jsonPath).replace(/^\./, ''),
    ),
  );
  const { plural, kind } = objectAt(names);
  return {
    collection: collectionOf(String(group), String(plural)),
    apiVersion: apiVersionOf({ group: String(group), version: String(stored.name) }),
    kind: String(kind),
    namespaced: scope === 'Namespaced',
    fields: [...new Set(fields)],
    time,
  };
}
