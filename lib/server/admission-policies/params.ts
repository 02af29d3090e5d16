import { type JsonObject, jsonSizeOf, objectAt } from '../../json/index.ts';
import { ConfigurationError, type ParamQuery } from '../../kubernetes/admission-policies/index.ts';
import { collectionOfType, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import { MEMORY } from '../../platform/index.ts';
import { fromLabelSelector, SelectorError } from '../../selectors/index.ts';
import { eachPage, type Store, toObject } from '../../store/index.ts';

/** The parameters of one query, or the reason why they cannot be read. */
export type Params = readonly JsonObject[] | ConfigurationError;

export interface ParamsOptions {
  /** The store as seen through the version of the kind. */
  readonly store: Store;
  readonly type: ResourceType;
}

/** Reads the parameters of a binding: by name in one get, by a selector in a LIST. Both are consistent. */
export async function readParams(query: ParamQuery, { store, type }: ParamsOptions): Promise<Params> {
  const { namespace, name } = query;
  const collection = collectionOfType(type);
  if (name !== undefined) {
    const state = await store.get(collection, { namespace, name });
    return state === undefined ? [] : [toObject(state)];
  }
  const selector = selectorOf(query);
  if (selector instanceof ConfigurationError) return selector;
  const found: JsonObject[] = [];
  let heap = 0;
  const selected = { selector, mostHeap: MEMORY.page, ...(namespace !== '' && { namespace }) };
  for await (const { items } of eachPage(store, collection, selected)) {
    for (const state of items) {
      heap += jsonSizeOf(state.body).heap;
      if (heap > MEMORY.page) {
        return new ConfigurationError('the selected parameters take too much memory: select fewer');
      }
      found.push(toObject(state));
    }
  }
  return found;
}

function selectorOf({ selector }: ParamQuery) {
  try {
    return fromLabelSelector(selector);
  } catch (error) {
    if (error instanceof SelectorError) return new ConfigurationError(error.message);
    throw error;
  }
}

/** Returns the `paramKind` of a policy; empty if there is none. */
export function paramKindOf({ spec }: JsonObject): JsonObject {
  return objectAt(objectAt(spec).paramKind);
}

/** Returns the group of a `paramKind`; `''` for the core group and if there is none. */
export function groupIn({ apiVersion = '' }: JsonObject): string {
  const [group = '', version] = String(apiVersion).split('/');
  return version === undefined ? '' : group;
}
