import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { RefusedError } from '../../lib/login/index.ts';
import type { Logger } from '../../lib/platform/index.ts';
import { ApiError, encodeError } from '../../lib/server/index.ts';
import { inRequest } from '../request-context.ts';
import type { Admission, Admit } from './admit.ts';
import { AUDIT_ID } from './audit-id.ts';
import { contextOf, nameOf } from './authorizer-context.ts';
import { toApiRequest } from './to-api-request.ts';

export interface BehindLoginOptions {
  readonly admit: Admit;
  readonly logger: Logger;
  /** Called after the login. It replaces the steps after the handler, which do not run after a refusal. */
  readonly over?: () => void;
}

/** A middy step before the handler. If it resolves to an answer, the handler does not run. */
export type BehindLogin = (request: {
  readonly event: APIGatewayProxyEvent;
}) => Promise<APIGatewayProxyResult | undefined>;

/**
 * Creates a step that authenticates each request. It answers refused requests as the deployed gateway does for its
 * authorizer, with the texts of `infra/constructs/entrance/gateway-responses.ts`.
 */
export function behindLogin(options: BehindLoginOptions): BehindLogin {
  return async ({ event }) => {
    const request = toApiRequest(event);
    const { auditID } = request;
    const judged = await inRequest({ auditID }, () => judge(request.headers.authorization, options));
    options.over?.();
    if (!(judged instanceof ApiError)) {
      event.requestContext.authorizer = contextOf(judged);
      return undefined;
    }
    const { status, headers, body } = encodeError(request, judged);
    const answer = { ...headers, [AUDIT_ID]: auditID };
    return { statusCode: status, headers: answer, body: String(body) };
  };
}

async function judge(
  authorization: string | undefined,
  { admit, logger }: BehindLoginOptions,
): Promise<ApiError | Admission> {
  try {
    const admission = await admit(authorization);
    if (admission.allowed) return admission;
    return new ApiError(
      403,
      'Forbidden',
      `forbidden: User "${nameOf(admission)}" may not log in to this deployment`,
    );
  } catch (error) {
    if (error instanceof RefusedError) return new ApiError(401, 'Unauthorized', 'Unauthorized');
    logger.error('the login cannot be checked', { error });
    const details = { retryAfterSeconds: 1 };
    return new ApiError(503, 'ServiceUnavailable', 'the login cannot be checked now', details);
  }
}
