import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import { type Identity, identityContext, TOKEN_PREFIX } from '../../lib/login/index.ts';
import { ENVIRONMENT } from '../../lib/platform/index.ts';
import { type Definition, findRoute } from './definition.ts';
import type { FunctionRuntime } from './function-runtime.ts';
import { GatewayError } from './gateway-error.ts';
import type { TokenUsers } from './trust/index.ts';

/** The login of a local run that requires tokens as the deployed stack does. */
export interface LocalLogin {
  /** ARNs of the administrators. */
  readonly principals: readonly string[];
  /** ARNs and accounts that can also log in. */
  readonly members?: readonly string[];
  /** The endpoint to use instead of AWS' STS: `http://127.0.0.1:…`. */
  readonly stsEndpoint: string;
}

/** A copy of the definition in which the functions that authenticate requests use this login. */
export function withLogin(definition: Definition, login: LocalLogin): Definition {
  const { principals, members = [], stsEndpoint } = login;
  const functions = new Map(definition.functions);
  const asking = [...functions.values()].filter(({ environment }) => ENVIRONMENT.principals in environment);
  if (asking.length === 0) throw new Error('no function in the template authenticates requests');
  for (const one of asking) {
    const environment = {
      ...one.environment,
      [ENVIRONMENT.principals]: JSON.stringify(principals),
      [ENVIRONMENT.members]: JSON.stringify(members),
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
  /** The user of the client's certificate. */
  readonly certified?: Identity | undefined;
}

/** The authorizer's context for the event; undefined if no authorizer was invoked. */
type Context = APIGatewayAuthorizerResult['context'];

/** Authenticates a request before its route. Rejects with the {@link GatewayError} of a refused request. */
export type Guard = (entry: Entry) => Promise<Context>;

/** Creates a guard that invokes a route's token authorizer as API Gateway does, but without a cache. */
export function createGuard(definition: Definition, runtime: Pick<FunctionRuntime, 'invoke'>): Guard {
  const { authorizer, stage } = definition;
  return async ({ method, path, authorization }) => {
    const isGuarded = findRoute(definition, method, path)?.authorized === true;
    if (authorizer === undefined || !isGuarded) return undefined;
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

/**
 * Creates a guard that accepts client certificates and these tokens, and passes other tokens to the guard `otherwise`.
 * A certificate has precedence, as in Kubernetes. The guard refuses tokens of AWS, because a local run never calls AWS.
 */
function createTokenGuard(users: TokenUsers, otherwise?: Guard): Guard {
  return async (entry) => {
    if (entry.certified !== undefined) return identityContext(entry.certified);
    const token = /^bearer +([^ ]+)$/i.exec(entry.authorization ?? '')?.[1] ?? '';
    const found = users.find(token);
    if (found !== undefined) return identityContext(found);
    if (otherwise === undefined || token.startsWith(TOKEN_PREFIX)) throw new GatewayError('UNAUTHORIZED');
    return otherwise(entry);
  };
}

/** The login options of a local run. */
interface LoginOptions {
  readonly users?: TokenUsers;
  readonly login?: LocalLogin;
  readonly authenticationConfig?: string | undefined;
  readonly serviceAccountTokens?: boolean;
}

/** The guard of a local run; undefined if no token is required. `deployed` is the guard that invokes the authorizer. */
export function guardOf(asked: LoginOptions, deployed: Guard): Guard | undefined {
  const { users, login, authenticationConfig, serviceAccountTokens } = asked;
  if (users === undefined) return login && deployed;
  const takesJwt = authenticationConfig !== undefined || serviceAccountTokens === true;
  return createTokenGuard(users, takesJwt ? deployed : undefined);
}
