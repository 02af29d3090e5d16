import { readDestinationList } from '../../lib/platform/index.ts';
import type { WebhookPlaces } from '../../lib/server/index.ts';
import { optional } from './optional.ts';

/** The places that admission webhooks may name, which the deployment has validated. */
export function webhookPlaces(): WebhookPlaces {
  const places = optional('webhooks');
  if (places === undefined) return readDestinationList({});
  return places === 'loopback' || places === 'services' ? places : readDestinationList(JSON.parse(places));
}
