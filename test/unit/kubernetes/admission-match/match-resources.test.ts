import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import {
  type AdmissionAttributes,
  type MatchFacts,
  matchResources,
  matchWebhook,
} from '../../../../lib/kubernetes/admission-match/index.ts';

const DEPLOYMENTS = { group: 'apps', version: 'v1', resource: 'deployments' };
const DEPLOYMENT = { group: 'apps', version: 'v1', kind: 'Deployment' };
const NAMESPACES = {
  resource: { group: '', version: 'v1', resource: 'namespaces' },
  kind: { group: '', version: 'v1', kind: 'Namespace' },
};

const CREATE: AdmissionAttributes = {
  operation: 'CREATE',
  kind: DEPLOYMENT,
  resource: DEPLOYMENTS,
  subresource: '',
  name: 'x',
  namespace: 'default',
  user: { name: 'jane', uid: '', groups: [], extra: {} },
  dryRun: false,
  options: undefined,
  object: { metadata: { labels: { app: 'a' } } },
  oldObject: undefined,
};

const RULE = {
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['deployments'],
  scope: '*',
};

function constraintsOf(constraints: JsonObject): JsonObject {
  return {
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    resourceRules: [RULE],
    ...constraints,
  };
}

interface Case {
  readonly constraints?: JsonObject;
  readonly attributes?: Partial<AdmissionAttributes>;
  readonly facts?: Partial<MatchFacts>;
}

function matched({ constraints = {}, attributes = {}, facts = {} }: Case) {
  return matchResources(
    constraintsOf(constraints),
    { ...CREATE, ...attributes },
    { namespaceLabels: {}, equivalents: [], ...facts },
  );
}

function matches(given: Case): boolean {
  return matched(given) !== undefined;
}

describe('the rules of a match', () => {
  test.each<[JsonObject, boolean]>([
    [{}, true],
    [{ operations: ['*'] }, true],
    [{ operations: ['UPDATE', 'CREATE'] }, true],
    [{ operations: ['UPDATE'] }, false],
    [{ apiGroups: ['*'] }, true],
    [{ apiGroups: ['', 'batch'] }, false],
    [{ apiVersions: ['*'] }, true],
    [{ apiVersions: ['v1beta1'] }, false],
    [{ resources: ['*'] }, true],
    [{ resources: ['*/*'] }, true],
    [{ resources: ['deployments/*'] }, true],
    [{ resources: ['deployments/scale'] }, false],
    [{ resources: ['*/scale'] }, false],
    [{ resources: ['pods', 'deployments'] }, true],
    [{ scope: 'Namespaced' }, true],
    [{ scope: 'Cluster' }, false],
    [{ scope: null }, true],
    [{ scope: 'Other' }, false],
    [{ resourceNames: [] }, true],
    [{ resourceNames: ['y', 'x'] }, true],
    [{ resourceNames: ['y'] }, false],
  ])('the rule with %j matches the creation of a Deployment: %s', (change, expected) => {
    expect(matches({ constraints: { resourceRules: [{ ...RULE, ...change }] } })).toBe(expected);
  });

  test.each<[string, boolean]>([
    ['deployments', false],
    ['*', false],
    ['deployments/scale', true],
    ['deployments/*', true],
    ['*/scale', true],
    ['*/*', true],
    ['*/status', false],
    ['pods/*', false],
  ])('the resource %s matches a write through the subresource scale: %s', (resource, expected) => {
    const resourceRules = [{ ...RULE, resources: [resource] }];
    expect(matches({ constraints: { resourceRules }, attributes: { subresource: 'scale' } })).toBe(expected);
  });

  test.each<[string, Partial<AdmissionAttributes>, boolean]>([
    ['Cluster', { ...NAMESPACES, namespace: 'x' }, true],
    ['Namespaced', { ...NAMESPACES, namespace: 'x' }, false],
    ['Cluster', { namespace: '' }, true],
    ['Namespaced', { namespace: '' }, false],
  ])('a Namespace and objects without namespace are cluster-scoped: %s %j', (scope, attributes, expected) => {
    const resourceRules = [{ ...RULE, apiGroups: ['*'], resources: ['*'], scope }];
    expect(matches({ constraints: { resourceRules }, attributes })).toBe(expected);
  });

  test('an object whose name the server generates has the empty name', () => {
    const resourceRules = [{ ...RULE, resourceNames: ['x'] }];
    expect(matches({ constraints: { resourceRules }, attributes: { name: '' } })).toBe(false);
  });

  test('a match without rules matches every resource', () => {
    expect(matches({ constraints: { resourceRules: [] } })).toBe(true);
  });

  test('an excluded resource does not match, even where a rule includes it', () => {
    expect(matches({ constraints: { excludeResourceRules: [RULE] } })).toBe(false);
    const named = [{ ...RULE, resourceNames: ['y'] }];
    expect(matches({ constraints: { excludeResourceRules: named } })).toBe(true);
  });
});

describe('the match policy', () => {
  const older = {
    resource: { ...DEPLOYMENTS, group: 'extensions', version: 'v1beta1' },
    kind: { ...DEPLOYMENT, group: 'extensions', version: 'v1beta1' },
  };
  const same = { resource: DEPLOYMENTS, kind: DEPLOYMENT };
  const facts = { equivalents: [same, older] };
  const resourceRules = [{ ...RULE, apiGroups: ['extensions'], apiVersions: ['v1beta1'] }];

  test('Equivalent finds the resource in another group or version, with its kind', () => {
    expect(matched({ constraints: { resourceRules }, facts })).toEqual(older);
  });

  test('Equivalent keeps the requested resource if a rule names it', () => {
    expect(matched({ constraints: { resourceRules: [...resourceRules, RULE] }, facts })).toEqual(same);
  });

  test('Equivalent respects the names of the rule', () => {
    const named = resourceRules.map((rule) => ({ ...rule, resourceNames: ['y'] }));
    expect(matches({ constraints: { resourceRules: named }, facts })).toBe(false);
  });

  test('Equivalent also excludes', () => {
    expect(matches({ constraints: { excludeResourceRules: resourceRules }, facts })).toBe(false);
  });

  test('Exact finds the requested resource only', () => {
    const exact = { matchPolicy: 'Exact' };
    expect(matches({ constraints: { ...exact, resourceRules }, facts })).toBe(false);
    expect(matches({ constraints: { ...exact, excludeResourceRules: resourceRules }, facts })).toBe(true);
  });
});

describe('the selectors of a match', () => {
  const selector = { matchLabels: { app: 'a' } };

  test.each<[string, Partial<AdmissionAttributes>, boolean]>([
    ['the new object has the labels', {}, true],
    ['neither has them', { object: {}, oldObject: { metadata: {} } }, false],
    ['the old object has them', { object: {}, oldObject: CREATE.object ?? {} }, true],
    ['there is no object', { object: undefined }, false],
  ])('objectSelector: %s', (_what, attributes, expected) => {
    expect(matches({ constraints: { objectSelector: selector }, attributes })).toBe(expected);
  });

  test.each<[string, Case, boolean]>([
    ['the namespace has the labels', { facts: { namespaceLabels: { app: 'a' } } }, true],
    ['the namespace lacks the labels', { facts: { namespaceLabels: { app: 'b' } } }, false],
    ['a cluster-scoped object passes', { attributes: { namespace: '' } }, true],
    [
      'the new labels of a Namespace count when it is created',
      { attributes: { ...NAMESPACES, namespace: 'x' }, facts: { namespaceLabels: { app: 'b' } } },
      true,
    ],
    [
      'the new labels of a Namespace count when it changes',
      {
        attributes: { ...NAMESPACES, namespace: 'x', operation: 'UPDATE', object: {} },
        facts: { namespaceLabels: { app: 'a' } },
      },
      false,
    ],
    [
      'the stored labels of a Namespace count for its status',
      {
        attributes: { ...NAMESPACES, namespace: 'x', operation: 'UPDATE', subresource: 'status' },
        facts: { namespaceLabels: { app: 'b' } },
      },
      false,
    ],
    [
      'the stored labels of a Namespace count when it is deleted',
      {
        attributes: { ...NAMESPACES, namespace: 'x', operation: 'DELETE', object: undefined },
        facts: { namespaceLabels: { app: 'a' } },
      },
      true,
    ],
  ])('namespaceSelector: %s', (_what, { attributes = {}, facts = {} }, expected) => {
    const resourceRules = [{ ...RULE, operations: ['*'], apiGroups: ['*'], resources: ['*/*'] }];
    const constraints = { namespaceSelector: selector, resourceRules };
    expect(matches({ constraints, attributes, facts })).toBe(expected);
  });

  test('an objectSelector for absent labels does not match the options of a connection', () => {
    const objectSelector = { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] };
    const constraints = { objectSelector, resourceRules: [{ ...RULE, operations: ['*'] }] };
    expect(matches({ constraints, attributes: { operation: 'UPDATE', object: {} } })).toBe(true);
    expect(matches({ constraints, attributes: { operation: 'CONNECT', object: {} } })).toBe(false);
  });

  test('an absent selector matches nothing', () => {
    expect(matches({ constraints: { objectSelector: null } })).toBe(false);
  });

  test('a namespace that does not exist is an error, but only for writes that the rules match', () => {
    const facts = { namespaceLabels: undefined };
    const constraints = { namespaceSelector: selector };
    expect(() => matched({ constraints, facts })).toThrow('namespaces "default" not found');
    expect(matches({ constraints, facts, attributes: { operation: 'DELETE' } })).toBe(false);
    expect(matches({ facts })).toBe(true);
  });

  test('a selector that cannot be read is an error, but only for writes that the rules match', () => {
    const constraints = { objectSelector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } };
    expect(() => matched({ constraints })).toThrow('"Near"');
    expect(matches({ constraints, attributes: { operation: 'DELETE' } })).toBe(false);
  });
});

describe('the match of a webhook', () => {
  const webhook = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {}, rules: [RULE] };
  const facts = { namespaceLabels: {}, equivalents: [] };

  test('a webhook matches by its rules and selectors', () => {
    expect(matchWebhook(webhook, CREATE, facts)).toEqual({ resource: DEPLOYMENTS, kind: DEPLOYMENT });
    expect(matchWebhook(webhook, { ...CREATE, subresource: 'status' }, facts)).toBeUndefined();
    const objectSelector = { matchLabels: { app: 'b' } };
    expect(matchWebhook({ ...webhook, objectSelector }, CREATE, facts)).toBeUndefined();
  });

  test('a webhook without rules matches nothing', () => {
    expect(matchWebhook({ ...webhook, rules: [] }, CREATE, facts)).toBeUndefined();
  });

  test('a webhook finds an equivalent resource, and fails for a namespace that does not exist', () => {
    const resource = { ...DEPLOYMENTS, version: 'v2' };
    const kind = { ...DEPLOYMENT, version: 'v2' };
    const newer = { ...webhook, rules: [{ ...RULE, apiVersions: ['v2'] }] };
    const equivalents = [{ resource, kind }];
    expect(matchWebhook(newer, CREATE, { ...facts, equivalents })).toEqual({ resource, kind });
    const namespaceSelector = { matchLabels: { a: 'b' } };
    expect(() =>
      matchWebhook({ ...webhook, namespaceSelector }, CREATE, { ...facts, namespaceLabels: undefined }),
    ).toThrow('namespaces "default" not found');
  });
});
