import { describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Api, type ApiProps } from '../../../infra/constructs/entrance/api.ts';
import type { Template, TemplateOptions } from '../../../infra/local/template.ts';
import { functionOf, properties, resources, synthesized } from './synthesized.ts';

const ADMIN = 'arn:aws:iam::111122223333:role/Admin';
const environmentOf = (template: Template, name: string) =>
  functionOf(template, name)[1].Environment.Variables;
const outputsOf = (template: Template) =>
  (template as Template & { Outputs: Record<string, { Value: unknown }> }).Outputs;

/** All variants of a deployment that a setting can cause. */
const DEPLOYMENTS: readonly [string, Partial<TemplateOptions>][] = [
  ['by default', {}],
  ['without streaming', { streaming: false }],
  ['destroyable', { destroyable: true }],
  ['with principals', { principals: [ADMIN] }],
  ['on an emulator', { stsEndpoint: 'http://127.0.0.1:4566', destroyable: true, streaming: false }],
];

/** Deployments to a gateway without authorizers. */
const WITHOUT_AUTHORIZER: readonly [string, Partial<TemplateOptions>][] = [
  ['without settings', { emulator: 'localstack' }],
  ['with principals', { emulator: 'localstack', principals: [ADMIN] }],
  ['with streaming refused', { emulator: 'localstack', streaming: false, destroyable: true }],
];

describe.each(DEPLOYMENTS)('a stack deployed %s', (_how, chosen) => {
  it('the authorizer protects every method of every path, and there is no other entrance', async () => {
    const template = await synthesized(chosen);
    const [[authorizer]] = resources(template, 'AWS::ApiGateway::Authorizer') as [[string, unknown]];
    const methods = properties(template, 'AWS::ApiGateway::Method');
    expect(methods).toHaveLength(11);
    for (const method of methods) {
      expect(method).toMatchObject({ AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: authorizer } });
    }
    for (const type of [
      'AWS::Lambda::Url',
      'AWS::ApiGatewayV2::Api',
      'AWS::ElasticLoadBalancingV2::Listener',
    ]) {
      expect(properties(template, type)).toEqual([]);
    }
  });
});

describe.each(WITHOUT_AUTHORIZER)('a stack for a gateway without authorizers, %s', (_how, chosen) => {
  it('every method of every path goes to a function that checks the login', async () => {
    const template = await synthesized({ streaming: true, ...chosen });
    expect(properties(template, 'AWS::ApiGateway::Authorizer')).toEqual([]);
    const asking = ['read-with-login', 'write-with-login', 'place-with-login'].map((name) =>
      functionOf(template, name),
    );
    const methods = properties(template, 'AWS::ApiGateway::Method');
    expect(methods.map(({ HttpMethod }) => HttpMethod).sort()).toEqual(['ANY', 'ANY', 'GET', 'GET', 'POST']);
    for (const { Integration } of methods) {
      expect(asking.filter(([id]) => JSON.stringify(Integration.Uri).includes(`"${id}"`))).toHaveLength(1);
    }
    for (const [, { Environment }] of asking) {
      expect(Environment.Variables).toMatchObject({
        WINNOW_CLUSTER_ID: outputsOf(template).ClusterId?.Value,
        WINNOW_PARTITION: { Ref: 'AWS::Partition' },
        WINNOW_PRINCIPALS: JSON.stringify(chosen.principals ?? []),
      });
    }
  });
});

it('functions that do not check logins cannot be deployed without an authorizer', () => {
  const stack = new Stack(new App({ analyticsReporting: false }), 'Open');
  const [read, write] = [{ entryPoint: 'read' }, { entryPoint: 'write-with-login' }];
  const props = { functions: { read, write }, login: { authorizer: undefined }, streaming: false };
  expect(() => new Api(stack, 'Api', props as unknown as ApiProps)).toThrow(
    'no authorizer would protect the function read',
  );
});

describe('the authorizer of the stack', () => {
  it('the authorizer gets only tokens of EKS, and its answers are cached for a minute', async () => {
    const template = await synthesized();
    const [authorizer] = properties(template, 'AWS::ApiGateway::Authorizer');
    expect(authorizer).toMatchObject({
      Type: 'TOKEN',
      IdentitySource: 'method.request.header.Authorization',
      AuthorizerResultTtlInSeconds: 60,
    });
    const syntax = new RegExp(authorizer?.IdentityValidationExpression);
    expect('Bearer k8s-aws-v1.aHR0cHM6Ly9').toMatch(syntax);
    for (const other of [
      '',
      'Bearer x',
      'Basic k8s-aws-v1.aHR0',
      'Bearer k8s-aws-v1.',
      'Bearer k8s-aws-v1.a b',
    ]) {
      expect(other).not.toMatch(syntax);
    }
  });

  it('the authorizer gets the unique cluster id and the principals', async () => {
    const template = await synthesized({ principals: [ADMIN, 'arn:aws:iam::111122223333:user/team/alice'] });
    const clusterId = {
      'Fn::Join': ['-', ['winnow', { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] }]],
    };
    expect(environmentOf(template, 'authorizer')).toEqual({
      POWERTOOLS_SERVICE_NAME: 'Winnow',
      POWERTOOLS_METRICS_DISABLED: 'true',
      WINNOW_CLUSTER_ID: clusterId,
      WINNOW_PARTITION: { Ref: 'AWS::Partition' },
      WINNOW_PRINCIPALS: JSON.stringify([ADMIN, 'arn:aws:iam::111122223333:user/team/alice']),
    });
    expect(outputsOf(template).ClusterId).toMatchObject({ Value: clusterId });
  });

  it('the authorizer has an empty list of principals if none is named', async () => {
    expect(environmentOf(await synthesized(), 'authorizer').WINNOW_PRINCIPALS).toBe('[]');
  });

  it('the authorizer gets the list of members, and none without members', async () => {
    const members = ['own', '444455556666', 'arn:aws:iam::444455556666:role/team/Ci', '444455556666'];
    expect(environmentOf(await synthesized({ members }), 'authorizer').WINNOW_MEMBERS).toEqual({
      'Fn::Join': [
        '',
        ['["', { Ref: 'AWS::AccountId' }, '","444455556666","arn:aws:iam::444455556666:role/Ci"]'],
      ],
    });
    expect(JSON.stringify(await synthesized())).not.toContain('WINNOW_MEMBERS');
  });

  it('the authorizer identifies a role by its name and lists it once', async () => {
    const roles = ['arn:aws:iam::111122223333:role/team/Admin', ADMIN];
    const template = await synthesized({ principals: roles });
    expect(environmentOf(template, 'authorizer').WINNOW_PRINCIPALS).toBe(JSON.stringify([ADMIN]));
  });
});

describe('a deployment with invalid logins', () => {
  it.each([
    ['a wildcard', 'arn:aws:iam::111122223333:role/*'],
    ['an account', '111122223333'],
    ['everybody', '*'],
    ['one session of a role', 'arn:aws:sts::111122223333:assumed-role/Admin/alice'],
  ])('a deployment that lets %s in is refused', async (_what, principal) => {
    await expect(synthesized({ principals: [principal] })).rejects.toThrow(principal);
  });

  it.each([
    ['a wildcard', 'arn:aws:iam::111122223333:role/*'],
    ['everybody', '*'],
    ['half an account', '11112222333'],
    ['one session of a role', 'arn:aws:sts::111122223333:assumed-role/Admin/alice'],
  ])('a deployment that has %s for a member is refused', async (_what, member) => {
    await expect(synthesized({ members: [member] })).rejects.toThrow(member);
  });

  it('a deployment with too many principals for the environment is refused', async () => {
    const principals = Array.from({ length: 80 }, (_, index) => `${ADMIN}${index}`);
    await expect(synthesized({ principals })).rejects.toThrow('the limit is 3000');
  });

  it.each([
    'https://sts.example.com',
    'http://127.0.0.1.example.com',
    'http://10.0.0.1',
    'http://127.0.0.1@x',
    'http://localhost.localstack.cloud:4566',
  ])('a deployment whose STS is %s, not on loopback, is refused', async (stsEndpoint) => {
    await expect(synthesized({ stsEndpoint })).rejects.toThrow('emulator on loopback');
  });
});

it("the host name of LocalStack's STS in its containers is allowed", async () => {
  const stsEndpoint = 'http://localhost.localstack.cloud:4566';
  const template = await synthesized({ emulator: 'localstack', stsEndpoint });
  for (const name of ['read-with-login', 'write-with-login']) {
    expect(environmentOf(template, name).WINNOW_STS_ENDPOINT).toBe(stsEndpoint);
  }
  const elsewhere = 'http://localhost.localstack.cloud.example.com';
  await expect(synthesized({ emulator: 'localstack', stsEndpoint: elsewhere })).rejects.toThrow('loopback');
});

it('only the template for an emulator contains the endpoint of its STS', async () => {
  const stsEndpoint = 'http://127.0.0.1:4566';
  const emulated = await synthesized({ stsEndpoint, destroyable: true, streaming: false });
  expect(environmentOf(emulated, 'authorizer').WINNOW_STS_ENDPOINT).toBe(stsEndpoint);
  expect(outputsOf(emulated).EmulatedStsEndpoint).toMatchObject({ Value: stsEndpoint });
  expect(JSON.stringify(await synthesized())).not.toMatch(/STS_ENDPOINT|EmulatedSts/);
});

describe('the issuers of accepted tokens', () => {
  const configurationOf = (url: string) =>
    JSON.stringify({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AuthenticationConfiguration',
      jwt: [
        {
          issuer: { url, audiences: ['winnow'] },
          claimMappings: { username: { claim: 'sub', prefix: 'o:' } },
        },
      ],
    });

  it('only the authorizer gets the issuers, and it also gets requests with JWTs', async () => {
    const template = await synthesized({ authenticationConfig: configurationOf('https://issuer.example') });
    const known = JSON.parse(environmentOf(template, 'authorizer').WINNOW_ISSUERS as string);
    expect(known).toMatchObject([
      { url: 'https://issuer.example', username: { claim: 'sub', prefix: 'o:' } },
    ]);
    expect(environmentOf(template, 'read').WINNOW_ISSUERS).toBeUndefined();
    const [{ IdentityValidationExpression: syntax } = {}] = properties(
      template,
      'AWS::ApiGateway::Authorizer',
    );
    const takes = (token: string) => new RegExp(String(syntax)).test(`Bearer ${token}`);
    expect(['k8s-aws-v1.a', 'a.b.c', 'a.b.', 'a.b', 'a.b.c.d', 'a.b.c d'].map(takes)).toEqual([
      true,
      true,
      ...Array(4).fill(false),
    ]);
  });

  it.each([
    ['that are not to be trusted', 'http://issuer.example', 'must be an https URL'],
    ['that no environment holds', `https://${'a'.repeat(3_000)}`, 'the limit is 3000'],
  ])('issuers %s fail the deployment', async (_which, url, why) => {
    await expect(synthesized({ authenticationConfig: configurationOf(url) })).rejects.toThrow(why);
  });
});
