import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { type Principal, RefusedError, type Verify } from '../../lib/login/index.ts';
import type { Logger, Metrics } from '../../lib/platform/index.ts';

export interface AuthorizeOptions {
  readonly verify: Verify;
  /** ARNs of the principals that are let in. */
  readonly principals: ReadonlySet<string>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export type Authorize = (event: APIGatewayTokenAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

/**
 * Lets in who has a token of `aws eks get-token` for this deployment and is named in it. A token that is no
 * login throws `Unauthorized`, by which API Gateway knows to answer 401; a principal that is not named gets a
 * policy that denies, and so 403; any other error becomes a 503, and nobody gets in by it.
 */
export function createAuthorize(options: AuthorizeOptions): Authorize {
  const { principals, logger } = options;
  return async ({ authorizationToken, methodArn }) => {
    const token = /^bearer +([^ ]+)$/i.exec(authorizationToken ?? '')?.[1];
    const principal = await identify(options, token ?? '');
    const allowed = principals.has(principal.arn);
    const { arn, session } = principal;
    logger.info(allowed ? 'let a principal in' : 'turned a principal away', { principal: arn, session });
    return policy(principal, allowed ? 'Allow' : 'Deny', methodArn);
  };
}

async function identify({ verify, logger, metrics }: AuthorizeOptions, token: string): Promise<Principal> {
  try {
    return await verify(token);
  } catch (error) {
    if (!(error instanceof RefusedError)) {
      metrics.record('UncheckedLogins', 1);
      throw error;
    }
    logger.info('refused a token', { check: error.check });
    throw new Error('Unauthorized');
  }
}

/**
 * API Gateway reuses the answer for other paths and methods of the same token, so it names them all:
 * `arn:…:<api>/<stage>/<method>/<path>` becomes `arn:…:<api>/<stage>/*`.
 */
function policy(
  { arn, session }: Principal,
  Effect: 'Allow' | 'Deny',
  methodArn: string,
): APIGatewayAuthorizerResult {
  const [api, stage] = methodArn.split('/');
  return {
    principalId: arn,
    context: { principal: arn, ...(session === undefined ? {} : { session }) },
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: `${api}/${stage}/*` }],
    },
  };
}
