import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ApiRequest, Caller } from '../../lib/api/index.ts';
import { auditIDOf } from './audit-id.ts';

/** A request that has its id. */
export interface ServedRequest extends ApiRequest {
  readonly auditID: string;
}

/**
 * What the API needs of a REST API proxy event. The stage is not part of the event's path, and the gateway has
 * decoded the query.
 */
export function toApiRequest(event: APIGatewayProxyEvent): ServedRequest {
  const headers = headersOf(event);
  return {
    auditID: auditIDOf(headers, event),
    method: event.httpMethod,
    path: event.path,
    query: queryOf(event),
    headers,
    body: bodyOf(event),
    caller: callerOf(event),
  };
}

/**
 * The same request without Accept-Encoding. API Gateway turns base64 back into bytes only where the client's
 * Accept header names a binary media type, so a buffered answer must not be compressed.
 */
export function withoutCompression(request: ServedRequest): ServedRequest {
  const { 'accept-encoding': _acceptEncoding, ...headers } = request.headers;
  return { ...request, headers };
}

function queryOf(event: APIGatewayProxyEvent): URLSearchParams {
  const { multiValueQueryStringParameters: several, queryStringParameters: single } = event;
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(several ?? single ?? {})) {
    for (const value of [values ?? ''].flat()) query.append(name, value);
  }
  return query;
}

function headersOf({
  multiValueHeaders: several,
  headers: single,
}: APIGatewayProxyEvent): Record<string, string> {
  const entries = Object.entries(several ?? single ?? {});
  return Object.fromEntries(
    entries.map(([name, values]) => [name.toLowerCase(), [values ?? ''].flat().join(', ')]),
  );
}

function bodyOf({ body, isBase64Encoded }: APIGatewayProxyEvent): Uint8Array | undefined {
  return body === null || body === undefined
    ? undefined
    : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
}

/** What an authorizer says of whom it let in; see {@link createAuthorize}. */
function callerOf({ requestContext }: APIGatewayProxyEvent): Caller | undefined {
  const { principal, session } = requestContext.authorizer ?? {};
  if (typeof principal !== 'string') return undefined;
  return { arn: principal, ...(typeof session === 'string' ? { session } : {}) };
}
