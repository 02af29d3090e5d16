import type { Clock, Logger, Random } from '../../platform/index.ts';
import type { Store } from '../../store/index.ts';
import { readDestinationList } from '../../webhook-places/index.ts';
import type { Caller } from './call-webhook.ts';
import type { Destinations } from './destination.ts';
import { listedDestinations } from './listed-destinations.ts';
import { localDestinations } from './local-destinations.ts';
import { SlowWebhooks } from './slow-webhooks.ts';
import { type Transport, TransportError } from './transport.ts';

/** What a server needs to call webhooks. */
export interface WebhookOptions {
  /**
   * The places that webhooks may name: the operator's list as JSON text; `loopback` or `services` in a run on the author's
   * own machine; none if absent.
   */
  readonly places?: string | undefined;
  readonly transport: Transport;
}

interface Serving {
  readonly webhooks?: WebhookOptions | undefined;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** The caller of a process. A server without options calls no place. */
export function openCaller({ webhooks, store, clock, random, logger }: Serving): Caller {
  return {
    destinations: destinationsOf(webhooks?.places, store),
    transport: webhooks?.transport ?? NO_TRANSPORT,
    slow: new SlowWebhooks(clock),
    clock,
    random,
    logger,
  };
}

const NO_TRANSPORT: Transport = {
  post: () => Promise.reject(new TransportError('this server calls no webhooks', false)),
};

/** Finds the places of webhooks. Those of Services are read from this store. */
function destinationsOf(places: string | undefined, store: Store): Destinations {
  if (places === 'loopback' || places === 'services') return localDestinations(places, store);
  return listedDestinations(readDestinationList(places === undefined ? {} : JSON.parse(places)));
}
