/** The custom resources with which CloudFormation manages Subscriptions and other objects. */
export { type ApiClient, createApiClient } from './api-client.ts';
export { createDefinitionResource, type DefinitionRequest } from './definition-resource.ts';
export { makeToken } from './make-token.ts';
export { createObjectResource, type ObjectRequest } from './object-resource.ts';
export { createSubscriptionResource, type ResourceRequest } from './subscription-resource.ts';
