import type { Hints } from '../../coordination/index.ts';
import { type Collection, type JsonObject, metadataOf } from '../../json/index.ts';
import { type Clock, MEMORY, mapBounded } from '../../platform/index.ts';
import { everything } from '../../selectors/index.ts';
import { removalOf } from '../../server/index.ts';
import { eachPage, type ObjectState, type Store } from '../../store/index.ts';

export interface EmptyOptions {
  readonly store: Store;
  readonly hints: Hints;
  readonly clock: Clock;
  /** Aborts when the time for deleting is over. */
  readonly over: AbortSignal;
}

export interface Emptied {
  /** The number of objects that finalizers hold. */
  readonly held: number;
  /** How many of them each finalizer holds. */
  readonly holders: ReadonlyMap<string, number>;
  /** The number of objects that were found. */
  readonly found: number;
  /** The resourceVersion of the LIST: everything up to it is decided. */
  readonly rv: number;
  /** Whether the time was over before all objects were handled. */
  readonly isCut: boolean;
}

/**
 * Deletes the objects of a collection, or of one of its namespaces, that no finalizer holds. After `over` aborts, it
 * begins with no further object. It deletes or marks at least one object, so repeated calls finish.
 */
export async function emptyCollection(
  options: EmptyOptions,
  collection: Collection,
  namespace?: string,
): Promise<Emptied> {
  const request = {
    ...(namespace !== undefined && { namespace }),
    selector: everything,
    mostHeap: MEMORY.page,
  };
  let held = 0;
  const holders = new Map<string, number>();
  const hold = ({ body }: ObjectState) => {
    held += 1;
    for (const finalizer of finalizersOf(body)) holders.set(finalizer, (holders.get(finalizer) ?? 0) + 1);
  };
  let found = 0;
  let at = 0;
  let isChanged = false;
  let isCut = false;
  for await (const { rv, items } of eachPage(options.store, collection, request)) {
    await mapBounded(items, 4, async (object) => {
      if (isToStay(options, collection, object)) {
        hold(object);
      } else if (isChanged && options.over.aborted) {
        isCut = true;
      } else {
        if (await deleteObject(options, collection, object)) hold(object);
        isChanged = true;
      }
    });
    found += items.length;
    at = rv;
    if (isCut) break;
  }
  return { held, holders, found, rv: at, isCut };
}

function finalizersOf(body: JsonObject): string[] {
  const { finalizers } = metadataOf(body);
  return Array.isArray(finalizers) ? finalizers.map(String) : [];
}

/** Whether finalizers hold an object that is already marked. Skipping such an object costs no request. */
function isToStay({ clock }: EmptyOptions, collection: Collection, { body }: ObjectState): boolean {
  return removalOf(body, { collection, clock }).kind === 'none';
}

/** Deletes an object, or marks it where finalizers hold it. Returns whether finalizers hold it. */
async function deleteObject(
  { store, hints, clock }: EmptyOptions,
  collection: Collection,
  object: ObjectState,
): Promise<boolean> {
  const outcome = await store.write(collection, object.name, (current) =>
    current?.uid === object.uid ? removalOf(current.body, { collection, clock }) : { kind: 'none' },
  );
  if (outcome.kind !== 'none' && outcome.after !== undefined) {
    await hints.announce(collection, outcome.after.rv);
  }
  return outcome.kind !== 'delete' && outcome.after !== undefined;
}
