import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { RefusedError } from '../../lib/login/index.ts';
import type { Admission, Admit } from './admit.ts';
import { contextOf, nameOf } from './authorizer-context.ts';

export type Authorize = (event: APIGatewayTokenAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

/**
 * Creates the handler of the authorizer. For an invalid token it throws `Unauthorized`, and API Gateway answers 401.
 * For a principal that may not log in it returns a policy that denies, and the answer is 403. Any other error becomes
 * a 503.
 */
export function createAuthorize(admit: Admit): Authorize {
  return async ({ authorizationToken, methodArn }) => {
    return policy(await admitted(admit, authorizationToken), methodArn);
  };
}

async function admitted(admit: Admit, authorization: string): Promise<Admission> {
  try {
    return await admit(authorization);
  } catch (error) {
    throw error instanceof RefusedError ? new Error('Unauthorized') : error;
  }
}

/**
 * The policy for all paths and methods, because API Gateway reuses it for other requests with the same token:
 * `arn:…:<api>/<stage>/<method>/<path>` becomes `arn:…:<api>/<stage>/*`.
 */
function policy(admission: Admission, methodArn: string): APIGatewayAuthorizerResult {
  const [api, stage] = methodArn.split('/');
  const Effect = admission.allowed ? 'Allow' : 'Deny';
  return {
    principalId: nameOf(admission),
    context: contextOf(admission),
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: `${api}/${stage}/*` }],
    },
  };
}
