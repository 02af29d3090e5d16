/** Admission webhooks decide the writes of a request. Loaded with the first request of a table with webhooks. */
export { destinationStore } from './destination-store.ts';
export { RequestWebhooks, type RequestWebhooksOptions } from './request-webhooks.ts';
