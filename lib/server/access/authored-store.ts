import { type Author, authorIn, serviceAccountOf, type Writer, writerIn } from '../../delivery/index.ts';
import { type JsonObject, jsonEquals, objectAt } from '../../json/index.ts';
import { SUBSCRIPTIONS, TALLIES } from '../../kubernetes/lifecycle/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { ObjectState, Store } from '../../store/index.ts';
import { storeWith } from '../registry/index.ts';
import { resolveAuthor } from './resolve-author.ts';

/** The caller of a request that writes. */
export interface Caller {
  /** Undefined for members of `system:masters`. */
  readonly author: Author | undefined;
  readonly writer: Writer;
}

/**
 * Wraps the store for writes of Subscriptions and Tallies. It puts the author into the status: the last user that
 * changed what is delivered, or to which queue. No request can name another author. If `spec.serviceAccountName` names
 * the author, the status also names the writer.
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

/** Whether a write leaves unchanged what is delivered, and to which queue. `spec.suspend` does not count. */
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
