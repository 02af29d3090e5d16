import { type Clock, type DestinationList, type Random, readDestinationList } from '../../platform/index.ts';
import type { Store } from '../../store/index.ts';
import type { Caller } from './call-webhook.ts';
import type { Destinations } from './destination.ts';
import { listedDestinations } from './listed-destinations.ts';
import { localDestinations } from './local-destinations.ts';
import { SlowWebhooks } from './slow-webhooks.ts';
import { type Transport, TransportError } from './transport.ts';

/** The places that webhooks may name: the operator's list, or those of a run on the author's own machine. */
export type WebhookPlaces = DestinationList | 'loopback' | 'services';

/** What a server needs to call webhooks. */
export interface WebhookOptions {
  readonly places: WebhookPlaces;
  readonly transport: Transport;
}

/** The caller of a process. A server without options calls no place. */
export function openCaller({ webhooks, store, clock, random }: Serving): Caller {
  const places = webhooks?.places ?? readDestinationList({});
  return {
    destinations: destinationsOf(places, store),
    transport: webhooks?.transport ?? NO_TRANSPORT,
    slow: new SlowWebhooks(clock),
    clock,
    random,
  };
}

interface Serving {
  readonly webhooks?: WebhookOptions | undefined;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
}

const NO_TRANSPORT: Transport = {
  post: () => Promise.reject(new TransportError('this server calls no webhooks', false)),
};

/** Finds the places of webhooks. Those of Services are read from this store. */
export function destinationsOf(places: WebhookPlaces, store: Store): Destinations {
  return typeof places === 'string' ? localDestinations(places, store) : listedDestinations(places);
}
