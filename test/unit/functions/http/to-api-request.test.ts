import { describe, expect, it } from '@jest/globals';
import { toApiRequest, withoutCompression } from '../../../../functions/http/to-api-request.ts';
import { proxyEvent } from './proxy-event.ts';

describe('The request of a proxy event', () => {
  it('The request has the method, and the path and query as decoded by the gateway', () => {
    const request = toApiRequest(
      proxyEvent({
        httpMethod: 'GET',
        path: '/api/v1/pods',
        multiValueQueryStringParameters: { labelSelector: ['a in (b, c)'], dryRun: ['All', 'All'] },
      }),
    );
    expect(request.method).toBe('GET');
    expect(request.path).toBe('/api/v1/pods');
    expect([...request.query]).toEqual([
      ['labelSelector', 'a in (b, c)'],
      ['dryRun', 'All'],
      ['dryRun', 'All'],
    ]);
  });

  it('The request has header names in lower case, and repeated values joined', () => {
    const multiValueHeaders = { Accept: ['a/b', 'c/d'], 'Content-Type': ['application/json'] };
    expect(toApiRequest(proxyEvent({ multiValueHeaders })).headers).toEqual({
      accept: 'a/b, c/d',
      'content-type': 'application/json',
    });
  });

  it('The request is valid without headers and a query', () => {
    const bare = { headers: null, multiValueHeaders: null, multiValueQueryStringParameters: null };
    const request = toApiRequest(proxyEvent(bare as never));
    expect(request.headers).toEqual({});
    expect([...request.query]).toEqual([]);
  });

  it.each([
    [null, false, undefined],
    ['{"é":1}', false, '{"é":1}'],
    [Buffer.from('{"é":1}').toString('base64'), true, '{"é":1}'],
  ])('The request has the body %j (base64: %s)', (body, isBase64Encoded, text) => {
    const request = toApiRequest(proxyEvent({ body, isBase64Encoded }));
    expect(request.body && Buffer.from(request.body).toString()).toBe(text);
  });

  it('The request accepts no compression if bytes would not survive', () => {
    const request = toApiRequest(
      proxyEvent({ multiValueHeaders: { 'Accept-Encoding': ['gzip'], Accept: ['*/*'] } }),
    );
    expect(withoutCompression(request).headers).toEqual({ accept: '*/*' });
  });

  it.each([
    ['nobody, where the front door says nothing', undefined, 'system:anonymous', ['system:unauthenticated']],
    ['one whom no entry names', { principal: 'jane' }, 'jane', ['system:authenticated']],
    [
      'a first administrator',
      { principal: 'jane', administrator: 'true' },
      'jane',
      ['system:masters', 'system:authenticated'],
    ],
  ])('The request is of %s, whatever the client sends', (_who, authorizer, username, groups) => {
    const multiValueHeaders = { principal: ['root'], administrator: ['true'] };
    const event = proxyEvent({ multiValueHeaders });
    const requestContext = { ...event.requestContext, authorizer };
    const request = toApiRequest({ ...event, requestContext });
    expect(request.user).toEqual({ username, groups });
    expect(request.principal).toBe(authorizer?.principal);
  });
});
