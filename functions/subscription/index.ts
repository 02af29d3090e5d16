export { type ApiClient, createApiClient } from './api-client.ts';
export { makeToken } from './make-token.ts';
export { createSubscriptionResource } from './subscription-resource.ts';
