import { describe, expect, it } from '@jest/globals';
import { type Attributes, judge, parsePolicy } from '../../../../lib/kubernetes/audit/index.ts';

const policyOf = (rules: unknown, more = {}) =>
  parsePolicy({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules, ...more });

const to = (access: object, who = {}): Attributes => ({
  username: 'jane',
  groups: ['fleet', 'system:authenticated'],
  access: {
    verb: 'update',
    apiGroup: '',
    resource: 'pods',
    subresource: '',
    namespace: 'shop',
    name: 'cart',
    ...access,
  },
  ...who,
});

const path = (url: string): Attributes => ({ ...to({}), access: { verb: 'get', path: url } });

describe('a rule of an audit policy', () => {
  it.each<[object, Attributes, boolean]>([
    [{}, to({}), true],
    [{}, path('/version'), true],
    [{ users: ['jane'] }, to({}), true],
    [{ users: ['joe'] }, to({}), false],
    [{ userGroups: ['fleet'] }, to({}), true],
    [{ userGroups: ['store'] }, to({}), false],
    [{ verbs: ['update', 'patch'] }, to({}), true],
    [{ verbs: ['get'] }, to({}), false],
    [{ namespaces: ['shop'] }, to({}), true],
    [{ namespaces: ['shop'] }, to({ namespace: '' }), false],
    [{ namespaces: [''] }, to({ namespace: '' }), true],
    [{ namespaces: ['shop'] }, path('/version'), false],
    [{ resources: [{ group: '' }] }, to({ resource: 'anything' }), true],
    [{ resources: [{ group: 'apps' }] }, to({}), false],
    [{ resources: [{ resources: ['pods'] }] }, to({}), true],
    [{ resources: [{ resources: ['pods'] }] }, to({ subresource: 'status' }), false],
    [{ resources: [{ resources: ['pods/status'] }] }, to({ subresource: 'status' }), true],
    [{ resources: [{ resources: ['pods/*'] }] }, to({}), true],
    [{ resources: [{ resources: ['pods/*'] }] }, to({ subresource: 'status' }), true],
    [{ resources: [{ resources: ['*/status'] }] }, to({ subresource: 'status' }), true],
    [{ resources: [{ resources: ['*/status'] }] }, to({}), false],
    [{ resources: [{ resources: ['*'] }] }, to({ subresource: 'status' }), true],
    [{ resources: [{ resources: ['pods'], resourceNames: ['cart'] }] }, to({}), true],
    [{ resources: [{ resources: ['pods'], resourceNames: ['till'] }] }, to({}), false],
    [{ nonResourceURLs: ['/healthz*'] }, path('/healthz/etcd'), true],
    [{ nonResourceURLs: ['*'] }, path('/version'), true],
    [{ nonResourceURLs: ['/version'] }, path('/version/more'), false],
    [{ nonResourceURLs: ['*'] }, to({}), false],
  ])('the rule %j matches the request %j: %s', (rule, attributes, matches) => {
    const { level } = judge(policyOf([{ level: 'Metadata', ...rule }]), attributes);
    expect(level).toBe(matches ? 'Metadata' : 'None');
  });

  it('the first matching rule decides, and omits its own stages and those of the policy', () => {
    const rules = [
      { level: 'None', users: ['joe'] },
      { level: 'Request', omitStages: ['ResponseStarted'] },
      { level: 'Metadata' },
    ];
    expect(judge(policyOf(rules, { omitStages: ['RequestReceived'] }), to({}))).toEqual({
      level: 'Request',
      omitStages: new Set(['RequestReceived', 'ResponseStarted']),
      omitManagedFields: false,
      isSecret: false,
    });
  });

  it.each([
    [{}, {}, false],
    [{ omitManagedFields: true }, {}, true],
    [{}, { omitManagedFields: true }, true],
    [{ omitManagedFields: true }, { omitManagedFields: false }, false],
  ])('a policy with %j and a rule with %j omit managedFields: %s', (policy, rule, omits) => {
    const judged = judge(policyOf([{ level: 'Request', ...rule }], policy), to({}));
    expect(judged.omitManagedFields).toBe(omits);
  });

  it.each([
    { resource: 'secrets' },
    { resource: 'secrets', subresource: 'status' },
    { resource: 'serviceaccounts', subresource: 'token' },
    { apiGroup: 'authentication.k8s.io', resource: 'tokenreviews' },
  ])('a rule never logs the body of %j', (access) => {
    expect(judge(policyOf([{ level: 'Request' }]), to(access)).level).toBe('Metadata');
  });
});

describe('an audit policy', () => {
  it.each([
    [null, 'the policy: must be an object'],
    [{ apiVersion: 'v1' }, 'apiVersion: must be audit.k8s.io/v1'],
    [{ rules: [] }, 'loaded illegal policy with 0 rules'],
    [{ rules: [{ level: 'RequestResponse' }] }, 'response bodies are not logged'],
    [{ rules: [{ level: 'All' }] }, 'rules[0].level: Unsupported value: "All"'],
    [{ rules: [{ level: 'None', verb: ['get'] }] }, 'rules[0]: unknown field "verb"'],
    [{ rules: [], omitStage: ['RequestReceived'] }, 'unknown field "omitStage"'],
    [{ rules: { level: 'None' } }, 'rules: must be a list'],
    [{ rules: [{ level: 'None', resources: { group: '' } }] }, 'rules[0].resources: must be a list'],
    [
      { rules: [{ level: 'None', resources: [{ resource: ['events'] }] }] },
      'rules[0].resources[0]: unknown field "resource"',
    ],
    [{ rules: [{ level: 'None', verbs: 'get' }] }, 'rules[0].verbs: must be a list of strings'],
    [{ rules: [{ level: 'None', omitStages: ['Late'] }] }, 'allowed stages are RequestReceived'],
    [{ rules: [{ level: 'None', nonResourceURLs: ['a'] }] }, "must begin with a '/' character"],
    [{ rules: [{ level: 'None', nonResourceURLs: ['/a*b'] }] }, 'must be the final character'],
    [{ rules: [{ level: 'None', nonResourceURLs: ['/a'], namespaces: ['b'] }] }, 'cannot apply to both'],
    [{ rules: [{ level: 'None', resources: [{ group: 'a/v1' }] }] }, 'without a version or a wildcard'],
    [{ rules: [{ level: 'None', resources: [{ group: '*' }] }] }, 'rules[0].resources[0].group: "*" must be'],
    [{ rules: [{ level: 'None', resources: [{ group: 'Apps' }] }] }, 'group: "Apps" must be the name of one'],
    [{ rules: [{ users: ['joe'] }] }, 'rules[0].level: Required value: one of None, Metadata, Request'],
    [
      { rules: [{ level: 'None', omitManagedFields: 'yes' }] },
      'rules[0].omitManagedFields: must be true or false',
    ],
    [{ rules: [{ level: 'None' }], omitManagedFields: 1 }, 'omitManagedFields: must be true or false'],
    [{ rules: [{ level: 'None', resources: [{ resourceNames: ['a'] }] }] }, 'requires at least one resource'],
  ])('parsePolicy refuses %j: %s', (given, why) => {
    expect(() => parsePolicy(given)).toThrow(why);
  });

  it('parsePolicy reports each fault once', () => {
    const verbs = {
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      rules: [{ level: 'None', omitStages: 1 }],
    };
    expect(() => parsePolicy(verbs)).toThrow(
      /^the audit policy is not valid: rules\[0\]\.omitStages: must be a list of strings$/,
    );
  });
});
