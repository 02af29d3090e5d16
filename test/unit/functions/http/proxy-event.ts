import type { APIGatewayProxyEvent, Context } from 'aws-lambda';

/** What the gateway calls every request here. */
export const REQUEST_ID = 'of-the-gateway';

/** A REST API proxy event with what a test says about it. */
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
