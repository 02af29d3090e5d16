import type { APIGatewayProxyEvent } from 'aws-lambda';
import { readIdentity } from '../../lib/login/index.ts';
import { ANONYMOUS, type ApiRequest, AUTHENTICATED, MASTERS, type UserInfo } from '../../lib/server/index.ts';
import { auditIDOf } from './audit-id.ts';

type Event = Pick<APIGatewayProxyEvent, 'requestContext'>;

/** A request with its id. */
export interface ServedRequest extends ApiRequest {
  readonly auditID: string;
}

/**
 * Converts a proxy event of a REST API into a request of the API. The event's path does not contain the stage, and the
 * gateway has decoded the query.
 */
export function toApiRequest(event: APIGatewayProxyEvent): ServedRequest {
  const every = headersOf(event);
  const identity = readIdentity(event.requestContext.authorizer ?? {});
  const headers = Object.fromEntries(
    Object.entries(every).map(([name, values]) => [name, values.join(', ')]),
  );
  return {
    auditID: auditIDOf(headers, event),
    method: event.httpMethod,
    path: event.path,
    query: queryOf(event),
    headers,
    body: bodyOf(event),
    user: userOf(event),
    expires: identity?.expires,
    bound: identity?.bound,
    principal: principalOf(event),
    impersonation: impersonationOf(every),
    sourceIP: event.requestContext.identity?.sourceIp,
  };
}

/**
 * Removes Accept-Encoding from a request, because a buffered answer must not be compressed. API Gateway decodes
 * base64 only if the client's Accept header names a binary media type.
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

function impersonationOf(headers: Record<string, string[]>): ApiRequest['impersonation'] {
  const found = Object.entries(headers).filter(([name]) => name.startsWith('impersonate-'));
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** All values of each header, by its name in lower case. */
function headersOf({
  multiValueHeaders: several,
  headers: single,
}: APIGatewayProxyEvent): Record<string, string[]> {
  const headers = new Map<string, string[]>();
  for (const [name, values] of Object.entries(several ?? single ?? {})) {
    const key = name.toLowerCase();
    headers.set(key, [...(headers.get(key) ?? []), ...[values ?? ''].flat()]);
  }
  return Object.fromEntries(headers);
}

function bodyOf({ body, isBase64Encoded }: APIGatewayProxyEvent): Uint8Array | undefined {
  return body === null || body === undefined
    ? undefined
    : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
}

/**
 * The ARN of the caller's IAM principal; undefined if the caller is not one. An AccessEntry may give it another name.
 */
function principalOf({ requestContext }: Event): string | undefined {
  const authorizer = requestContext.authorizer ?? {};
  const { principal } = authorizer;
  return typeof principal === 'string' && readIdentity(authorizer) === undefined ? principal : undefined;
}

/**
 * The caller, from the authorizer's context (see {@link authorizerContext}); anonymous without one. Clients cannot
 * forge it, because only API Gateway fills `requestContext`.
 */
function userOf(event: Event): UserInfo {
  const authorizer = event.requestContext.authorizer ?? {};
  const identity = readIdentity(authorizer);
  if (identity !== undefined) {
    const { expires: _expires, bound: _bound, groups, ...named } = identity;
    return { ...named, groups: [...groups, AUTHENTICATED] };
  }
  const principal = principalOf(event);
  if (principal === undefined) return ANONYMOUS;
  const { session, administrator } = authorizer;
  const groups = administrator === 'true' ? [MASTERS, AUTHENTICATED] : [AUTHENTICATED];
  return {
    username: principal,
    groups,
    ...(typeof session === 'string' && { extra: { sessionName: [session] } }),
  };
}
