/**
 * Admission webhooks: the HTTPS servers and Lambda functions that decide about writes and change them. The room has no
 * network code: a Transport sends the requests.
 */

export type { Caller } from './call-webhook.ts';
export {
  calledUrl,
  type Destination,
  type Destinations,
  type HttpsDestination,
  IGNORED,
  printedUrl,
} from './destination.ts';
export { listedDestinations } from './listed-destinations.ts';
export type { Matcher } from './matcher.ts';
export { type Mutating, mutateByWebhooks } from './mutate-by-webhooks.ts';
export { NoteBook, type Notes } from './notes.ts';
export { WebhookFailedError } from './refusals.ts';
export { SlowWebhooks } from './slow-webhooks.ts';
export { type Transport, type TransportAnswer, TransportError } from './transport.ts';
export { type Asking, validateByWebhooks } from './validate-by-webhooks.ts';
export { readClient, type Webhook, webhooksIn } from './webhook.ts';
export { openCaller, type WebhookOptions } from './webhook-options.ts';
