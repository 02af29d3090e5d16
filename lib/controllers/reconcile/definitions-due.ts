import type { ReconcileMessage } from '../../coordination/index.ts';
import { everyObject, leastPosition } from '../../delivery/index.ts';
import { type Collection, collectionOf, type JsonObject, jsonEquals, objectAt } from '../../json/index.ts';
import { DEFINITIONS, SUBSCRIPTIONS } from '../../kubernetes/lifecycle/index.ts';
import { type Clock, TIMING } from '../../platform/index.ts';
import {
  type DeclaredCollection,
  FIRST_VERSION,
  forgetCollection,
  type Store,
  subscriptionsPartition,
  type Table,
} from '../../store/index.ts';
import { collectionOfDefinition, isBeingCleaned } from './reconcile-definition.ts';

export interface DefinitionsDueOptions {
  readonly table: Table;
  readonly store: Store;
  readonly clock: Clock;
}

/**
 * Definitions that are being deleted, or that wait for names. Where nothing was ever declared there are none, and it is
 * not looked. What is left of a kind that is gone is forgotten when nobody can ask for it any more.
 */
export async function definitionsDue(
  options: DefinitionsDueOptions,
  declared: readonly DeclaredCollection[],
): Promise<ReconcileMessage[]> {
  if (declared.length === 0) return [];
  const definitions = await everyObject(options.store, DEFINITIONS);
  const defined = new Set<Collection>(definitions.map(({ body }) => collectionOfDefinition(body)));
  for (const one of declared) if (!defined.has(one.collection)) await forgetWhenOver(options, one);
  return definitions
    .filter(({ body }) => isBeingCleaned(body) || awaitsNames(body))
    .map(({ name }) => ({ kind: 'definition', name: name.name }));
}

/** Names are settled after they were written: by the same request, if it came so far. */
function awaitsNames({ spec, status }: JsonObject): boolean {
  return !jsonEquals(objectAt(spec).names ?? {}, objectAt(status).acceptedNames ?? {});
}

/**
 * Its journal is compacted up to its end and dispatched, and no Subscription names it. A definition that is being
 * written may have declared it: that was not long ago.
 */
async function forgetWhenOver({ table, store, clock }: DefinitionsDueOptions, one: DeclaredCollection) {
  const { collection, time } = one;
  if (clock.now() - time < TIMING.tombstone) return;
  const head = await store.head(collection);
  const position = await leastPosition(table, collection);
  const { compacted } = await store.watermarks(collection);
  if (head > FIRST_VERSION && (compacted < head || position < head)) return;
  const states = await table.query({ partition: subscriptionsPartition(collection), from: '!', to: '~' });
  const subscriptions = await everyObject(store, SUBSCRIPTIONS);
  const isNamed = subscriptions.some(({ body }) => {
    const { group = '', resource } = objectAt(objectAt(body.spec).resource);
    return collectionOf(String(group), String(resource)) === collection;
  });
  if (states.rows.length === 0 && !isNamed) await forgetCollection(table, one);
}
