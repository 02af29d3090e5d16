import type { APIGatewayProxyEvent, Context } from 'aws-lambda';

/** The id that the gateway gives every request here. */
export const REQUEST_ID = 'of-the-gateway';

/** A REST API proxy event with the fields that a test sets. */
export function proxyEvent(event: Partial<APIGatewayProxyEvent>): APIGatewayProxyEvent {
  return {
    httpMethod: 'GET',
    path: '/',
    headers: {},
    multiValueHeaders: {},
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    body: null,
    isBase64Encoded: false,
    requestContext: { requestId: REQUEST_ID },
    ...event,
  } as APIGatewayProxyEvent;
}

export function contextWith(remaining: number): Context {
  return { getRemainingTimeInMillis: () => remaining } as Context;
}
