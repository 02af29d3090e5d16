import type { JsonObject } from '../../json/index.ts';
import type { Store } from '../../store/index.ts';
import type { NamingContext } from './definition-store.ts';
import type { RehearsalOptions } from './refused-objects.ts';
import type { SubscriptionStoreOptions } from './subscription-store.ts';

/** Loads the store that writes the accepted names of definitions, and wraps the store of a request with it. */
export async function definitionView(store: Store, context: NamingContext): Promise<Store> {
  return (await import('./definition-store.ts')).definitionStore(store, context);
}

/** Loads the check of stored objects by the schema of a definition, and returns its warnings. */
export async function definitionWarnings(
  definition: JsonObject,
  options: RehearsalOptions,
): Promise<string[]> {
  return (await import('./refused-objects.ts')).refusedObjects(definition, options);
}

/** Loads the store that completes the status of Subscriptions and Tallies, and wraps the store of a request with it. */
export async function subscriptionView(store: Store, options: SubscriptionStoreOptions): Promise<Store> {
  return (await import('./subscription-store.ts')).subscriptionStore(store, options);
}
