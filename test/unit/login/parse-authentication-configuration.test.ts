import { describe, expect, it } from '@jest/globals';
import { parseAuthenticationConfiguration } from '../../../lib/login/index.ts';

const mapping = { claim: 'sub', prefix: 'oidc:' };
const issuer = { url: 'https://issuer.example', audiences: ['winnow'] };

const configurationOf = (one: object, changes: object = {}) => ({
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AuthenticationConfiguration',
  jwt: [{ issuer, claimMappings: { username: mapping }, ...one }],
  ...changes,
});

const serving = (part: object) => configurationOf({ issuer: { ...issuer, ...part } });

describe('an AuthenticationConfiguration', () => {
  it('The configuration is read as far as it names claims', () => {
    const claimMappings = {
      username: mapping,
      groups: { claim: 'groups', prefix: '' },
      uid: { claim: 'oid' },
    };
    const claimValidationRules = [{ claim: 'hd', requiredValue: 'example.com' }];
    expect(
      parseAuthenticationConfiguration(configurationOf({ claimMappings, claimValidationRules })),
    ).toEqual([
      {
        ...issuer,
        username: mapping,
        groups: { claim: 'groups', prefix: '' },
        uid: 'oid',
        required: [{ claim: 'hd', value: 'example.com' }],
      },
    ]);
  });

  it.each<[string, unknown]>([
    ['the configuration: must be an object', []],
    ['apiVersion: must be apiserver.config.k8s.io/v1', configurationOf({}, { apiVersion: 'v1' })],
    ['the configuration.anonymous: is unknown or not supported', configurationOf({}, { anonymous: {} })],
    ['jwt: names no issuer', configurationOf({}, { jwt: [] })],
    [
      'jwt: names an issuer twice',
      { ...configurationOf({}), jwt: Array(2).fill(configurationOf({}).jwt[0]) },
    ],
    ['jwt[0].issuer.url: must be an https URL', serving({ url: 'http://issuer.example' })],
    ['jwt[0].issuer.url: must be an https URL', serving({ url: 'http://127.0.0.1.evil.example' })],
    ['jwt[0].issuer.url: must have no user', serving({ url: 'https://a@b' })],
    ['jwt[0].issuer.discoveryURL: is unknown or not supported', serving({ discoveryURL: 'https://b' })],
    ['jwt[0].issuer.audiences: names no audience', serving({ audiences: [] })],
    ['jwt[0].issuer.audienceMatchPolicy: must be MatchAny', serving({ audiences: ['a', 'b'] })],
    [
      'username.expression: is unknown',
      configurationOf({ claimMappings: { username: { expression: 'x' } } }),
    ],
    ['username.prefix: must be set', configurationOf({ claimMappings: { username: { claim: 'sub' } } })],
    [
      'username.prefix: must not begin with system:',
      configurationOf({ claimMappings: { username: { claim: 'sub', prefix: 'system:node:' } } }),
    ],
    ['jwt[0].userValidationRules: is unknown', configurationOf({ userValidationRules: [] })],
  ])('is refused: %s', (says, given) => {
    expect(() => parseAuthenticationConfiguration(given)).toThrow(says);
  });

  it('The error has all faults at once', () => {
    const claimMappings = { username: { claim: '', prefix: 'system:' }, groups: { expression: 'x' } };
    const given = {
      kind: 'Config',
      jwt: [{ issuer: { url: 'http://b?c', audiences: [1] }, claimMappings }, 7],
    };
    const says = [
      'apiVersion: must be apiserver.config.k8s.io/v1',
      'kind: must be AuthenticationConfiguration',
      'jwt[0].issuer.audiences[0]: must be a text',
      'jwt[0].issuer.url: must be an https URL',
      'jwt[0].issuer.url: must have no user, query or fragment',
      'jwt[0].claimMappings.username.prefix: must not begin with system:',
      'jwt[0].claimMappings.username.claim: must be a text',
      'jwt[0].claimMappings.groups.expression: is unknown or not supported',
      'jwt[0].claimMappings.groups.prefix: must be set, and may be ""',
      'jwt[0].claimMappings.groups.claim: must be a text',
      'jwt[1]: must be an object',
    ];
    expect(() => parseAuthenticationConfiguration(given)).toThrow(new Error(says.join('; ')));
    const none = new Error('the configuration: must be an object');
    expect(() => parseAuthenticationConfiguration('jwt')).toThrow(none);
  });
});
