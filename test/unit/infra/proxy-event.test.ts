import { describe, expect, it } from '@jest/globals';
import { toProxyEvent } from '../../../infra/local/proxy-event.ts';

const gateway = { stage: 'v1', binaryMediaTypes: ['application/vnd.kubernetes.protobuf'] };

function event(target: string, more: { method?: string; rawHeaders?: string[]; body?: Buffer } = {}) {
  const { method = 'GET', rawHeaders = [], body = Buffer.alloc(0) } = more;
  const rest = { sourceIp: '127.0.0.1', requestId: 'id', time: 1_000 };
  return toProxyEvent({ method, target, rawHeaders, body, ...rest }, gateway);
}

describe('the proxy event', () => {
  it('the proxy event has the path without the stage, and the stage separately', () => {
    expect(event('/api/v1/pods?limit=5')).toMatchObject({
      resource: '/{proxy+}',
      path: '/api/v1/pods',
      httpMethod: 'GET',
      pathParameters: { proxy: 'api/v1/pods' },
      requestContext: { path: '/v1/api/v1/pods', stage: 'v1', resourcePath: '/{proxy+}', httpMethod: 'GET' },
    });
  });

  it('the proxy event has no path parameters on the root', () => {
    expect(event('/')).toMatchObject({ resource: '/', path: '/', pathParameters: null });
  });

  it.each([
    ['environment%3Dproduction,tier%3Dfrontend', 'environment=production,tier=frontend'],
    ['environment+in+%28production%2Cqa%29', 'environment in (production,qa)'],
    ['a%2Bb', 'a+b'],
    ['!partition', '!partition'],
  ])('the proxy event decodes the query %s once', (encoded, decoded) => {
    const { queryStringParameters, multiValueQueryStringParameters } = event(`/?labelSelector=${encoded}`);
    expect(queryStringParameters).toEqual({ labelSelector: decoded });
    expect(multiValueQueryStringParameters).toEqual({ labelSelector: [decoded] });
  });

  it('the proxy event keeps every value of a repeated parameter and header', () => {
    const repeated = event('/?a=1&a=2&b', { rawHeaders: ['Accept', 'x', 'Accept', 'y'] });
    expect(repeated.queryStringParameters).toEqual({ a: '2', b: '' });
    expect(repeated.multiValueQueryStringParameters).toEqual({ a: ['1', '2'], b: [''] });
    expect(repeated.headers.Accept).toBe('y');
    expect(repeated.multiValueHeaders.Accept).toEqual(['x', 'y']);
  });

  it('the proxy event has null for absent values', () => {
    expect(event('/x')).toMatchObject({
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      stageVariables: null,
      body: null,
      isBase64Encoded: false,
    });
  });

  it('the proxy event keeps the case of headers and drops connection headers', () => {
    const { headers } = event('/', {
      rawHeaders: ['X-Custom', '1', 'Connection', 'close', 'User-Agent', 'k'],
    });
    expect(headers).toMatchObject({ 'X-Custom': '1', 'X-Forwarded-For': '127.0.0.1' });
    expect(Object.keys(headers)).not.toContain('Connection');
  });

  it('the proxy event has a text body as text', () => {
    const rawHeaders = ['Content-Type', 'application/json'];
    expect(event('/', { method: 'POST', rawHeaders, body: Buffer.from('{"ä":1}') })).toMatchObject({
      body: '{"ä":1}',
      isBase64Encoded: false,
    });
  });

  it('the proxy event has a body of a binary media type as base64', () => {
    const rawHeaders = ['content-type', 'application/vnd.kubernetes.protobuf; x=1'];
    expect(
      event('/', { method: 'POST', rawHeaders, body: Buffer.from([0x6b, 0x38, 0x73, 0, 255]) }),
    ).toMatchObject({
      body: 'azhzAP8=',
      isBase64Encoded: true,
    });
  });

  it('the proxy event keeps a path with an invalid encoding', () => {
    expect(event('/%zz').pathParameters).toEqual({ proxy: '%zz' });
  });
});
