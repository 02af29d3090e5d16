import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { IGNORED, listedDestinations, readClient } from '../../../../lib/server/webhooks/index.ts';
import { readDestinationList } from '../../../../lib/webhook-places/index.ts';

const ARN = 'arn:aws:lambda:eu-west-1:111122223333:function:guard';
const INVOCATION = `https://lambda.eu-west-1.amazonaws.com/2015-03-31/functions/${ARN}/invocations`;

const destinations = listedDestinations(
  readDestinationList({
    hosts: ['policy.example', 'policy.example:8443'],
    privateHosts: ['inside.example'],
    functions: [ARN],
    services: {
      'shop/guard': 'https://10.0.0.9:9443/base',
      'shop/function': ARN,
      'shop/absent': 'ignore',
    },
  }),
);

const find = (client: JsonObject) => destinations.find(readClient(client));
const service = (name: string, others: JsonObject = {}) => ({
  service: { namespace: 'shop', name, ...others },
});

describe('the destinations of a deployment', () => {
  it.each([
    ['https://policy.example/a?b', false],
    ['https://policy.example:8443/', false],
    ['https://inside.example/', true],
  ])('include a listed host: %s', async (url, mayBePrivate) => {
    await expect(find({ url })).resolves.toEqual({ kind: 'https', url: new URL(url), mayBePrivate });
  });

  it.each(['https://policy.example:9443/', 'https://policy.example.evil/', 'https://evil/?policy.example'])(
    'exclude other hosts and ports: %s',
    async (url) => {
      await expect(find({ url })).rejects.toThrow('is not among the webhook destinations of this deployment');
    },
  );

  it('include a listed function, by its ARN or its invocation URL', async () => {
    await expect(find({ url: INVOCATION })).resolves.toEqual({ kind: 'function', arn: ARN });
    await expect(find(service('function'))).resolves.toEqual({ kind: 'function', arn: ARN });
  });

  it('exclude an invocation of a function that is not listed, and an invocation URL of another host', async () => {
    await expect(find({ url: INVOCATION.replace('guard', 'other') })).rejects.toThrow('is not among');
    await expect(find({ url: INVOCATION.replace('amazonaws.com', 'evil.example') })).rejects.toThrow(
      'is not among',
    );
    await expect(find({ url: INVOCATION.replace('.com/', '.com.evil.example/') })).rejects.toThrow(
      'is not among',
    );
  });

  it('replace a Service by the URL of the operator', async () => {
    await expect(find(service('guard', { path: '/validate' }))).resolves.toMatchObject({
      url: new URL('https://10.0.0.9:9443/base/validate'),
      mayBePrivate: true,
    });
    const caBundle = Buffer.from('PEM').toString('base64');
    await expect(find({ ...service('guard', { path: '/validate' }), caBundle })).resolves.toEqual({
      kind: 'https',
      url: new URL('https://guard.shop.svc:443/validate'),
      connect: { host: '10.0.0.9', port: 9443 },
      certificates: 'PEM',
      mayBePrivate: true,
    });
  });

  it.each([
    ['//evil.example/x', '/base/evil.example/x'],
    ['/\\evil.example', '/base/evil.example'],
    ['https://evil.example/', '/base/https://evil.example/'],
    ['/../x', '/x'],
    ['/a?b#c', '/base/a%3Fb%23c'],
  ])('keep the host of the operator, whatever path a configuration names: %s', async (path, pathname) => {
    const { url } = (await find(service('guard', { path }))) as { url: URL };
    expect([url.host, url.pathname, url.search]).toEqual(['10.0.0.9:9443', pathname, '']);
  });

  it('name the Services that are ignored, and exclude others', async () => {
    await expect(find(service('absent'))).resolves.toBe(IGNORED);
    await expect(find(service('other'))).rejects.toThrow('Service shop/other is not among');
    expect(destinations.refusal(readClient(service('other')))).toContain('Service shop/other is not among');
    expect(destinations.refusal(readClient(service('absent')))).toBeUndefined();
  });
});

describe('the list of an operator', () => {
  it.each<[string, JsonObject, string]>([
    ['an unknown member', { host: [] }, 'host: unknown; a list of webhook destinations has hosts'],
    ['a URL as host', { hosts: ['https://a.example'] }, 'hosts: https://a.example is not a host'],
    ['a host with a path', { hosts: ['a.example/x'] }, 'hosts: a.example/x is not a host'],
    ['a pattern of functions', { functions: [`${ARN}*`] }, 'is not the ARN of a Lambda function'],
    [
      'a Service without namespace',
      { services: { guard: 'ignore' } },
      'guard is not namespace/name of a Service',
    ],
    ['an http URL', { services: { 'a/b': 'http://c' } }, 'services.a/b: must be an https URL'],
    ['a pattern of hosts', { hosts: ['*.example.com'] }, 'hosts: *.example.com is not a host'],
    ['a text instead of a list', { hosts: 'a.example' }, 'hosts: must be a list of texts'],
  ])('may not have %s', (_, list, message) => {
    expect(() => readDestinationList(list)).toThrow(message);
  });
});
