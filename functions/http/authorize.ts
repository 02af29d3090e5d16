import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { RefusedError } from '../../lib/login/index.ts';
import type { Admission, Admit } from './admit.ts';
import { contextOf, nameOf } from './authorizer-context.ts';

export type Authorize = (event: APIGatewayTokenAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

/**
 * Tells API Gateway whom to let in. What is no login throws `Unauthorized`, by which API Gateway knows to answer
 * 401; a principal that may not in gets a policy that denies, and so 403; any other error becomes a 503, and
 * nobody gets in by it.
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
 * API Gateway reuses the answer for other paths and methods of the same token, so it names them all:
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
