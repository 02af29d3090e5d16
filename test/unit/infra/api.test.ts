import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Template } from '../../../infra/local/template.ts';
import { type Properties, properties, resources, synthesized } from './synthesized.ts';

let template: Template;
let buffered: Template;
beforeAll(async () => {
  template = await synthesized();
  buffered = await synthesized({ streaming: false });
});

const integrated = ({ Integration }: Properties) => JSON.stringify(Integration.Uri);

describe('the routes of the API', () => {
  it('the API has five methods on the root, five on everything below, and one for placement', () => {
    const methods = properties(template, 'AWS::ApiGateway::Method').map(({ HttpMethod }) => HttpMethod);
    expect(methods.sort()).toEqual(
      ['DELETE', 'DELETE', 'GET', 'GET', 'PATCH', 'PATCH', 'POST', 'POST', 'POST', 'PUT', 'PUT'].sort(),
    );
    const below = properties(template, 'AWS::ApiGateway::Resource').map(({ PathPart }) => PathPart);
    expect(below).toEqual(['{proxy+}', 'apis', 'winnow.dev', 'v1', 'placementreviews']);
  });

  it('every route is behind the authorizer', () => {
    const [[authorizer]] = resources(template, 'AWS::ApiGateway::Authorizer') as [[string, unknown]];
    for (const method of properties(template, 'AWS::ApiGateway::Method')) {
      expect(method).toMatchObject({ AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: authorizer } });
    }
  });

  it('the functions can be invoked only through the gateway and the schedule', () => {
    expect(properties(template, 'AWS::Lambda::Url')).toEqual([]);
    const invokers = properties(template, 'AWS::Lambda::Permission').map(({ Principal }) => Principal);
    expect(new Set(invokers)).toEqual(new Set(['apigateway.amazonaws.com', 'events.amazonaws.com']));
    for (const permission of properties(template, 'AWS::Lambda::Permission')) {
      expect(permission.SourceArn).toBeDefined();
    }
  });

  it('a POST of a PlacementReview goes to place', () => {
    const [[reviews]] = resources(template, 'AWS::ApiGateway::Resource').filter(
      ([, { Properties }]) => Properties?.PathPart === 'placementreviews',
    ) as [[string, unknown]];
    const methods = properties(template, 'AWS::ApiGateway::Method').filter(
      ({ ResourceId }) => ResourceId.Ref === reviews,
    );
    expect(methods.map(({ HttpMethod }) => HttpMethod)).toEqual(['POST']);
    expect(methods.map(integrated)[0]).toContain('FunctionsPlace');
  });

  it('every GET streams from read, and other methods are buffered from write', () => {
    const methods = properties(template, 'AWS::ApiGateway::Method');
    for (const method of methods.filter((one) => !integrated(one).includes('FunctionsPlace'))) {
      const isRead = method.HttpMethod === 'GET';
      expect(method.Integration.ResponseTransferMode).toBe(isRead ? 'STREAM' : undefined);
      expect(integrated(method)).toContain(isRead ? 'FunctionsRead' : 'FunctionsWrite');
      expect(integrated(method).includes('/response-streaming-invocations')).toBe(isRead);
      expect(method.Integration.TimeoutInMillis).toBe(isRead ? 309_000 : 29_000);
    }
  });

  it('every GET is buffered if the front door cannot stream', () => {
    const gets = properties(buffered, 'AWS::ApiGateway::Method').filter(
      ({ HttpMethod }) => HttpMethod === 'GET',
    );
    for (const method of gets) {
      expect(integrated(method)).not.toContain('response-streaming');
      expect(method.Integration).toMatchObject({ ResponseTransferMode: 'BUFFERED', TimeoutInMillis: 29_000 });
    }
  });
});

describe('the settings of the API', () => {
  it('the API is regional and treats protobuf as binary', () => {
    expect(properties(template, 'AWS::ApiGateway::RestApi')[0]).toMatchObject({
      BinaryMediaTypes: ['application/vnd.kubernetes.protobuf'],
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
  });

  it('the API is throttled', () => {
    const [stage] = properties(template, 'AWS::ApiGateway::Stage');
    expect(stage?.MethodSettings).toEqual([
      expect.objectContaining({
        HttpMethod: '*',
        ResourcePath: '/*',
        ThrottlingRateLimit: 1_000,
        ThrottlingBurstLimit: 2_000,
      }),
    ]);
  });

  it('the stack holds no secret that could be read and used as a login', () => {
    expect(properties(template, 'AWS::SecretsManager::Secret')).toEqual([]);
  });
});

describe("the gateway's own errors", () => {
  const answer = (type: string) =>
    properties(template, 'AWS::ApiGateway::GatewayResponse').find(
      ({ ResponseType }) => ResponseType === type,
    );

  it.each([
    ['UNAUTHORIZED', 401, 'Unauthorized'],
    ['ACCESS_DENIED', 403, 'Forbidden'],
    ['EXPIRED_TOKEN', 403, 'Forbidden'],
    ['WAF_FILTERED', 403, 'Forbidden'],
    ['RESOURCE_NOT_FOUND', 404, 'NotFound'],
    ['MISSING_AUTHENTICATION_TOKEN', 405, 'MethodNotAllowed'],
    ['REQUEST_TOO_LARGE', 413, 'RequestEntityTooLarge'],
    ['UNSUPPORTED_MEDIA_TYPE', 415, 'UnsupportedMediaType'],
    ['THROTTLED', 429, 'TooManyRequests'],
    ['QUOTA_EXCEEDED', 429, 'TooManyRequests'],
    ['AUTHORIZER_CONFIGURATION_ERROR', 503, 'ServiceUnavailable'],
    ['AUTHORIZER_FAILURE', 503, 'ServiceUnavailable'],
    ['INTEGRATION_FAILURE', 503, 'ServiceUnavailable'],
    ['INTEGRATION_TIMEOUT', 504, 'Timeout'],
    ['DEFAULT_4XX', 400, 'BadRequest'],
    ['DEFAULT_5XX', 503, 'ServiceUnavailable'],
  ])('the gateway error %s is a Status of %i %s', (type, code, reason) => {
    const found = answer(type);
    expect(found?.StatusCode).toBe(String(code));
    expect(JSON.parse(found?.ResponseTemplates['application/json'])).toMatchObject({
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      reason,
      code,
    });
  });

  it.each(['INTEGRATION_FAILURE', 'INTEGRATION_TIMEOUT', 'DEFAULT_5XX'])(
    '%s says that a write may have been applied, and has no Retry-After, so that clients do not repeat it',
    (type) => {
      const found = answer(type);
      const { message, details } = JSON.parse(found?.ResponseTemplates['application/json']);
      expect(message).toContain('the write may have been applied');
      expect(details).toBeUndefined();
      expect(Object.keys(found?.ResponseParameters)).toEqual(['gatewayresponse.header.Audit-Id']);
    },
  );

  it('throttling and authorizer errors have a Retry-After header', () => {
    const header = expect.objectContaining({ 'gatewayresponse.header.Retry-After': "'1'" });
    expect(answer('THROTTLED')?.ResponseParameters).toEqual(header);
    expect(answer('QUOTA_EXCEEDED')?.ResponseParameters).toEqual(header);
    expect(answer('AUTHORIZER_FAILURE')?.ResponseParameters).toEqual(header);
  });

  it("the gateway's errors carry the id of their request, as those of the functions do", () => {
    for (const { ResponseParameters } of properties(template, 'AWS::ApiGateway::GatewayResponse')) {
      expect(ResponseParameters).toMatchObject({ 'gatewayresponse.header.Audit-Id': 'context.requestId' });
    }
  });

  it('ACCESS_DENIED names the caller that was refused', () => {
    const { message } = JSON.parse(answer('ACCESS_DENIED')?.ResponseTemplates['application/json']);
    expect(message).toContain('$context.authorizer.principal');
  });
});
