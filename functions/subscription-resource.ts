import { setTimeout as sleep } from 'node:timers/promises';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import middy from '@middy/core';
import { required } from './environment/index.ts';
import { createLogger } from './logger.ts';
import {
  createApiClient,
  createDefinitionResource,
  createObjectResource,
  createSubscriptionResource,
  type DefinitionRequest,
  makeToken,
  type ObjectRequest,
  type ResourceRequest,
} from './subscription/index.ts';

/**
 * The function with which CloudFormation creates, updates and deletes the Subscriptions, kinds and other objects of a
 * stack.
 */

const { powertools } = createLogger('subscription-resource');
const {
  AWS_REGION = '',
  AWS_ACCESS_KEY_ID = '',
  AWS_SECRET_ACCESS_KEY = '',
  AWS_SESSION_TOKEN,
} = process.env;
const [clusterId, partition] = [required('clusterId'), required('partition')];
const credentials = {
  accessKeyId: AWS_ACCESS_KEY_ID,
  secretAccessKey: AWS_SECRET_ACCESS_KEY,
  ...(AWS_SESSION_TOKEN !== undefined && { sessionToken: AWS_SESSION_TOKEN }),
};
const api = createApiClient({
  url: required('apiUrl'),
  token: () => makeToken({ clusterId, partition, region: AWS_REGION, credentials, date: new Date() }),
});

const asSubscription = createSubscriptionResource({ api, sleep });
const asObject = createObjectResource({ api });
const asDefinition = createDefinitionResource({ api, sleep });

const handle = (
  request: ResourceRequest | ObjectRequest | DefinitionRequest,
  context: { readonly invokedFunctionArn: string },
) => {
  const { ResourceProperties: properties } = request;
  if ('definition' in properties) return asDefinition(request as DefinitionRequest);
  if ('path' in properties) return asObject(request as ObjectRequest);
  return asSubscription(request as ResourceRequest, context);
};

export const handler = middy(handle).use(injectLambdaContext(powertools));
