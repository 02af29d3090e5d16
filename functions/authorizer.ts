import { createHash, timingSafeEqual } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import middy from '@middy/core';
import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { ENVIRONMENT } from '../lib/platform/index.ts';

/** How long a token that was read is trusted: a rotated secret takes effect after this. */
const CACHED = 60_000;

export interface AuthorizerOptions {
  /** The API's token. Rejects when it cannot be read; then nobody gets in. */
  readSecret(): Promise<string>;
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

type Authorize = (event: APIGatewayTokenAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

/**
 * Lets a request in whose bearer token is the API's. Anything else throws `Unauthorized`, by which API Gateway
 * knows to answer 401 (any other error would be a 500).
 */
export function createAuthorizer(options: AuthorizerOptions): Authorize {
  const expected = cachedDigest(options);
  return async (event) => {
    const token = /^bearer +([^ ]+)$/i.exec(event.authorizationToken)?.[1];
    if (!token || !timingSafeEqual(digest(token), await expected())) throw new Error('Unauthorized');
    return allowWholeStage(event.methodArn);
  };
}

/** Digests have one length, whatever was sent: comparing them tells nothing about the token. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function cachedDigest({ readSecret, now }: AuthorizerOptions): () => Promise<Buffer> {
  let cache: { readonly value: Buffer; readonly until: number } | undefined;
  return async () => {
    if (cache && now() < cache.until) return cache.value;
    const secret = await readSecret();
    if (secret === '') throw new Error('the token secret is empty');
    cache = { value: digest(secret), until: now() + CACHED };
    return cache.value;
  };
}

/**
 * API Gateway reuses the answer for other paths and methods of the same token, so it names them all:
 * `arn:…:<api>/<stage>/<method>/<path>` becomes `arn:…:<api>/<stage>/*`.
 */
function allowWholeStage(methodArn: string): APIGatewayAuthorizerResult {
  const [api, stage] = methodArn.split('/');
  return {
    principalId: 'bearer-token',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: `${api}/${stage}/*` }],
    },
  };
}

const client = new SecretsManagerClient();

async function readSecret(): Promise<string> {
  const SecretId = process.env[ENVIRONMENT.tokenSecretArn];
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
  return SecretString ?? '';
}

export const handler = middy(createAuthorizer({ readSecret, now: Date.now }));
