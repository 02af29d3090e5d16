import { type Collection, type JsonObject, valueAt } from '../../json/index.ts';
import { type CustomKind, collectionsThat } from '../../kubernetes/resource-types/index.ts';

/** Built-in collections of which every object may have a selector. */
const ALWAYS = collectionsThat(({ carriesSelectors }) => carriesSelectors === 'always');

/** All built-in collections whose objects may select others. */
export const CARRIERS = collectionsThat(({ carriesSelectors }) => carriesSelectors !== undefined);

/** Whether an object may have selectors. Most pods, and all objects of most kinds, have no selectors. */
export function mayCarry(collection: Collection, body: JsonObject, custom?: CustomKind): boolean {
  if (ALWAYS.has(collection)) return true;
  switch (collection) {
    case 'core/pods':
      return valueAt(body, 'spec.nodeSelector') !== undefined || valueAt(body, 'spec.affinity') !== undefined;
    case 'core/persistentvolumes':
      return valueAt(body, 'spec.nodeAffinity') !== undefined;
    default:
      return custom?.selects !== undefined;
  }
}
