import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ApiRequest } from '../../lib/server/index.ts';

/**
 * The header in which Kubernetes receives and returns a request's id.
 * https://kubernetes.io/docs/tasks/debug/debug-cluster/audit/
 */
export const AUDIT_ID = 'audit-id';

/** Short, without characters that have a meaning in a log, a header or an SQS attribute. */
const VALID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * The id of a request: the client's, or else API Gateway's. The log also has Lambda's own `function_request_id`,
 * which a client cannot choose.
 */
export function auditIDOf(headers: ApiRequest['headers'], event: APIGatewayProxyEvent): string {
  const given = headers[AUDIT_ID] ?? '';
  return VALID.test(given) ? given : event.requestContext.requestId;
}
