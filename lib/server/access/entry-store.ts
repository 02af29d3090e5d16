import { type JsonObject, objectAt } from '../../json/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { FieldError } from '../../selectors/index.ts';
import type { ObjectState, Store } from '../../store/index.ts';
import { ACCESS_ENTRIES, readEntry } from '../policies/index.ts';
import { storeWith } from '../registry/index.ts';
import { invalid } from '../status/index.ts';

/**
 * The reservation that makes the principal of an AccessEntry unique: `principal#arn:aws:iam::111122223333:role/Admin`.
 */
export function reservedByEntry(body: JsonObject): readonly string[] {
  const entry = readEntry(body);
  return entry === undefined ? [] : [`principal#${entry.principal}`];
}

/**
 * Wraps the store for writes of AccessEntries, so that a principal has at most one. The transaction of each write
 * reserves the principal, so of two concurrent writes one fails.
 */
export function entryStore(given: Store, type: ResourceType): Store {
  return storeWith(given, (store) => ({
    write: (collection, name, change, options) => {
      if (collection !== ACCESS_ENTRIES) return store.write(collection, name, change, options);
      const decide = async (current: ObjectState | undefined) => {
        const mutation = await change(current);
        if (mutation.kind !== 'put') return mutation;
        const reserves = reservedByEntry(mutation.body);
        const others = [...(await store.reservationHolders(reserves)).values()].filter(
          (uid) => uid !== current?.uid,
        );
        if (others.length === 0) return { ...mutation, reserves };
        throw invalid(type, name.name, [taken(mutation.body)]);
      };
      return store.write(collection, name, decide, options);
    },
  }));
}

function taken({ spec }: JsonObject): FieldError {
  const { principal: value } = objectAt(spec);
  const detail = 'another AccessEntry already names this principal; a principal can have only one';
  return { type: 'Invalid', field: 'spec.principal', value, detail };
}
