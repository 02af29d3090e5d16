import type { Following, ReconcileMessage } from '../../coordination/index.ts';
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

export interface DefinitionsDueOptions extends Following {
  readonly table: Table;
  readonly store: Store;
  readonly clock: Clock;
}

export interface DefinitionsDue {
  /** Messages for definitions that are being deleted, or that wait for names. */
  readonly messages: readonly ReconcileMessage[];
  /** Whether a deleted kind still had rows. */
  readonly isForgetting: boolean;
}

/**
 * Finds definitions that are due. If no collection was ever declared, it reads nothing. It also deletes the rows of a
 * deleted kind, when no client can request the kind any more.
 */
export async function definitionsDue(
  options: DefinitionsDueOptions,
  declared: readonly DeclaredCollection[],
): Promise<DefinitionsDue> {
  if (declared.length === 0) return { messages: [], isForgetting: false };
  const definitions = await everyObject(options.store, DEFINITIONS);
  const defined = new Set<Collection>(definitions.map(({ body }) => collectionOfDefinition(body)));
  const left = declared.filter(({ collection }) => !defined.has(collection));
  for (const one of left) await forgetWhenOver(options, one);
  const messages = definitions
    .filter(({ body }) => isBeingCleaned(body) || awaitsNames(body))
    .map(({ name }): ReconcileMessage => ({ kind: 'definition', name: name.name }));
  return { messages, isForgetting: left.length > 0 };
}

/**
 * Whether a definition's names are not accepted yet. The request that writes a definition also settles its names,
 * unless it is cut off.
 */
function awaitsNames({ spec, status }: JsonObject): boolean {
  return !jsonEquals(objectAt(spec).names ?? {}, objectAt(status).acceptedNames ?? {});
}

/**
 * Removes a declared collection that has no definition any more. Its journal must be compacted and dispatched up to
 * its end, and no Subscription may name it. A recent declaration stays: the write of its definition may be under way.
 */
async function forgetWhenOver(options: DefinitionsDueOptions, one: DeclaredCollection) {
  const { table, store, clock } = options;
  const { collection, time } = one;
  if (clock.now() - time < TIMING.tombstone) return;
  const head = await store.head(collection);
  const position = await leastPosition(options, collection);
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
