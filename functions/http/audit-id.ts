import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ApiRequest } from '../../lib/server/index.ts';

/**
 * The header by which Kubernetes takes and answers a request's id.
 * https://kubernetes.io/docs/tasks/debug/debug-cluster/audit/
 */
export const AUDIT_ID = 'audit-id';

/** Short, and of no character that means something to a log, a header or an SQS attribute. */
const VALID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * The id of a request: the one that the client gave it, or else API Gateway's. Beside it the log has Lambda's own,
 * `function_request_id`, which nobody can choose.
 */
export function auditIDOf(headers: ApiRequest['headers'], event: APIGatewayProxyEvent): string {
  const given = headers[AUDIT_ID] ?? '';
  return VALID.test(given) ? given : event.requestContext.requestId;
}
