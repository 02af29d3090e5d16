import { type JsonObject, jsonEquals, type ObjectState, objectAt, type Store } from '../../store/index.ts';
import { type Author, authorIn, SUBSCRIPTIONS, TALLIES } from '../../watch/index.ts';
import { storeWith } from '../registry/index.ts';
import type { ResourceType } from '../resource-types/index.ts';
import { resolveAuthor } from './resolve-author.ts';

/**
 * The store as Subscriptions and Tallies are written to it: their statuses say by whose rights they tell. That is who
 * wrote last what is told and to whom; nobody else can say another.
 */
export function authoredStore(given: Store, type: ResourceType, author: Author | undefined): Store {
  return storeWith(given, (store) => ({
    write: (collection, name, change, options) => {
      if (collection !== SUBSCRIPTIONS && collection !== TALLIES) {
        return store.write(collection, name, change, options);
      }
      const decide = async (current: ObjectState | undefined) => {
        const mutation = await change(current);
        if (mutation.kind !== 'put') return mutation;
        const { body } = mutation;
        if (keepsTold(current?.body, body)) {
          return { ...mutation, body: authored(body, authorIn(current?.body ?? {})) };
        }
        const resolved = await resolveAuthor({ store, type, ...name, body, author });
        return { ...mutation, body: authored(body, resolved) };
      };
      return store.write(collection, name, decide, options);
    },
  }));
}

/** Whether the same is told, to the same queue. That nothing is told for a while is all the same. */
export function keepsTold(current: JsonObject | undefined, body: JsonObject): boolean {
  return current !== undefined && jsonEquals(toldBy(body), toldBy(current));
}

function toldBy({ spec }: JsonObject): JsonObject {
  const { suspend: _, ...told } = objectAt(spec);
  return told;
}

function authored(body: JsonObject, author: Author | undefined): JsonObject {
  const { author: sent, ...status } = objectAt(body.status);
  if (author !== undefined) {
    return { ...body, status: { ...status, author: { ...author, groups: [...author.groups] } } };
  }
  return sent === undefined ? body : { ...body, status };
}
