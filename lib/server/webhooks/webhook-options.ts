import type { DestinationList } from '../../platform/index.ts';
import type { Store } from '../../store/index.ts';
import type { Destinations } from './destination.ts';
import { listedDestinations } from './listed-destinations.ts';
import { localDestinations } from './local-destinations.ts';
import type { Transport } from './transport.ts';

/** The places that webhooks may name: the operator's list, or those of a run on the author's own machine. */
export type WebhookPlaces = DestinationList | 'loopback' | 'services';

/** What a server needs to call webhooks. */
export interface WebhookOptions {
  readonly places: WebhookPlaces;
  readonly transport: Transport;
}

/** Finds the places of webhooks. Those of Services are read from this store. */
export function destinationsOf(places: WebhookPlaces, store: Store): Destinations {
  return typeof places === 'string' ? localDestinations(places, store) : listedDestinations(places);
}
