import { type Author, authorIn, serviceAccountOf, type Writer, writerIn } from '../../delivery/index.ts';
import { type JsonObject, jsonEquals, objectAt } from '../../json/index.ts';
import { SUBSCRIPTIONS, TALLIES } from '../../kubernetes/lifecycle/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { ObjectState, Store } from '../../store/index.ts';
import { storeWith } from '../registry/index.ts';
import { resolveAuthor } from './resolve-author.ts';

/** The caller of a request that writes. */
export interface Caller {
  /** Undefined of a caller who may do everything. */
  readonly author: Author | undefined;
  readonly writer: Writer;
}

/**
 * The store as Subscriptions and Tallies are written to it: their statuses say by whose rights they tell. The author
 * is the last user that changed what is delivered, or to which queue. No request can name another one. Where it is a
 * service account that the spec names, they also say who wrote that.
 */
export function authoredStore(given: Store, type: ResourceType, { author, writer }: Caller): Store {
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
          const before = current?.body ?? {};
          return { ...mutation, body: authored(body, authorIn(before), writerIn(before)) };
        }
        const resolved = await resolveAuthor({ store, type, ...name, body, author });
        const isOther = serviceAccountOf(body) !== undefined && resolved?.username !== writer.username;
        return { ...mutation, body: authored(body, resolved, isOther ? writer : undefined) };
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

function authored(body: JsonObject, author: Author | undefined, writer: Writer | undefined): JsonObject {
  const { author: sent, writer: sentWriter, ...status } = objectAt(body.status);
  const isAbout = [author, writer, sent, sentWriter].some((one) => one !== undefined);
  if (!isAbout) return body;
  return {
    ...body,
    status: {
      ...status,
      ...(author !== undefined && { author: { ...author, groups: [...author.groups] } }),
      ...(writer !== undefined && { writer: { ...writer } }),
    },
  };
}
