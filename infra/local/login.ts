import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import { ENVIRONMENT } from '../../lib/platform/index.ts';
import type { Definition } from './definition.ts';
import type { FunctionRuntime } from './function-runtime.ts';
import { GatewayError } from './gateway-error.ts';

/** Who is let in, where a local run asks for tokens as the deployed stack does. */
export interface LocalLogin {
  readonly principals: readonly string[];
  /** Asked instead of AWS' STS: `http://127.0.0.1:…`. */
  readonly stsEndpoint: string;
}

/** The same definition, in which whoever asks for the login knows these principals and asks this endpoint. */
export function withLogin(definition: Definition, { principals, stsEndpoint }: LocalLogin): Definition {
  const functions = new Map(definition.functions);
  const asking = [...functions.values()].filter(({ environment }) => ENVIRONMENT.principals in environment);
  if (asking.length === 0) throw new Error('nothing in the template asks for the login');
  for (const one of asking) {
    const environment = {
      ...one.environment,
      [ENVIRONMENT.principals]: JSON.stringify(principals),
      [ENVIRONMENT.stsEndpoint]: stsEndpoint,
    };
    functions.set(one.name, { ...one, environment });
  }
  return { ...definition, functions };
}

export interface Entry {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
}

/** What the authorizer says of whom it let in, for the event; undefined where it was not asked. */
type Context = APIGatewayAuthorizerResult['context'];

/** Throws the {@link GatewayError} by which API Gateway turns a request away before any route. */
export type Guard = (entry: Entry) => Promise<Context>;

/** What API Gateway does with a route's token authorizer; its cache is not imitated. */
export function createGuard(definition: Definition, runtime: Pick<FunctionRuntime, 'invoke'>): Guard {
  const { authorizer, routes, stage } = definition;
  return async ({ method, path, authorization }) => {
    if (authorizer === undefined || routes.get(method)?.authorized !== true) return undefined;
    if (authorization === undefined || !authorizer.tokenSyntax.test(authorization)) {
      throw new GatewayError('UNAUTHORIZED');
    }
    const methodArn = `arn:aws:execute-api:local:000000000000:local/${stage}/${method}${path}`;
    const event = { type: 'TOKEN', methodArn, authorizationToken: authorization };
    const answer = await runtime.invoke(authorizer.functionName, event).catch((error: unknown) => {
      const refused = error instanceof Error && error.message === 'Unauthorized';
      throw new GatewayError(refused ? 'UNAUTHORIZED' : 'AUTHORIZER_FAILURE', error);
    });
    const { principalId, context, policyDocument } = answer as APIGatewayAuthorizerResult;
    const { Statement } = policyDocument;
    if (!Statement.every(({ Effect }) => Effect === 'Allow')) throw new GatewayError('ACCESS_DENIED');
    return { ...context, principalId };
  };
}
