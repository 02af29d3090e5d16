import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import { identityContext, TOKEN_PREFIX } from '../../lib/login/index.ts';
import { ENVIRONMENT } from '../../lib/platform/index.ts';
import { type Definition, findRoute } from './definition.ts';
import type { FunctionRuntime } from './function-runtime.ts';
import { GatewayError } from './gateway-error.ts';
import type { TokenUsers } from './trust/index.ts';

/** Who is let in, where a local run asks for tokens as the deployed stack does. */
export interface LocalLogin {
  /** Who may do everything. */
  readonly principals: readonly string[];
  /** Who else is let in: ARNs and accounts. */
  readonly members?: readonly string[];
  /** Asked instead of AWS' STS: `http://127.0.0.1:…`. */
  readonly stsEndpoint: string;
}

/** The same definition, in which whoever asks for the login knows these principals and asks this endpoint. */
export function withLogin(definition: Definition, login: LocalLogin): Definition {
  const { principals, members = [], stsEndpoint } = login;
  const functions = new Map(definition.functions);
  const asking = [...functions.values()].filter(({ environment }) => ENVIRONMENT.principals in environment);
  if (asking.length === 0) throw new Error('nothing in the template asks for the login');
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
}

/** What the authorizer says of whom it let in, for the event; undefined where it was not asked. */
type Context = APIGatewayAuthorizerResult['context'];

/** Throws the {@link GatewayError} by which API Gateway turns a request away before any route. */
export type Guard = (entry: Entry) => Promise<Context>;

/** What API Gateway does with a route's token authorizer; its cache is not imitated. */
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
 * Lets in whoever has one of the tokens; whom else, the other guard says, where there is one. It is asked for no token of
 * AWS, for nothing that runs locally asks AWS.
 */
function createTokenGuard(users: TokenUsers, otherwise?: Guard): Guard {
  return async (entry) => {
    const token = /^bearer +([^ ]+)$/i.exec(entry.authorization ?? '')?.[1] ?? '';
    const found = users.find(token);
    if (found !== undefined) return identityContext(found);
    if (otherwise === undefined || token.startsWith(TOKEN_PREFIX)) throw new GatewayError('UNAUTHORIZED');
    return otherwise(entry);
  };
}

/** How a local run is asked for. */
interface Asked {
  readonly users?: TokenUsers;
  readonly login?: LocalLogin;
  readonly authenticationConfig?: string | undefined;
  readonly serviceAccountTokens?: boolean;
}

/** Who is let into a local run; undefined where nobody is asked. `deployed` is what asks the authorizer. */
export function guardOf(asked: Asked, deployed: Guard): Guard | undefined {
  const { users, login, authenticationConfig, serviceAccountTokens } = asked;
  if (users === undefined) return login && deployed;
  const takesJwt = authenticationConfig !== undefined || serviceAccountTokens === true;
  return createTokenGuard(users, takesJwt ? deployed : undefined);
}
