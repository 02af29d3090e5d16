import { describe, expect, it } from '@jest/globals';
import { authorize, Policy, rulesFor, Scope } from '../../../../lib/kubernetes/rbac/index.ts';
import { everything, type Labels, nothing, parseSelector } from '../../../../lib/selectors/index.ts';

const scopeOf = (...texts: string[]) => Scope.of(texts.map((text) => parseSelector(text)));

describe('a scope', () => {
  it('equal scopes have one text, however their selectors are written, and are read back from it', () => {
    const scope = scopeOf('team=b,environment in (dev,test)', 'team in (a)', 'team=a', 'team=a,app=web');
    expect(`${scope}`).toBe('environment in (dev,test),team=b || team=a');
    expect(`${Scope.parse(`${scope}`)}`).toBe(`${scope}`);
    expect(scope.selectors).toHaveLength(2);
  });

  it('a scope matches the objects of each of its selectors', () => {
    const scope = scopeOf('team=a', 'team=b,app');
    const labels: Labels[] = [{ team: 'a' }, { team: 'b' }, { team: 'b', app: 'web' }, {}];
    expect(labels.map((one) => scope.matches(one))).toEqual([true, false, true, false]);
  });

  it('a scope with only contradictory selectors, or without selectors, matches nothing', () => {
    for (const scope of [scopeOf('a=1,a=2'), Scope.of([everything, nothing]), Scope.parse('')]) {
      expect(`${scope}`).toBe('');
      expect(scope.matches({ a: '1' })).toBe(false);
    }
  });

  it('a scope is within another scope that matches all of its objects', () => {
    expect(scopeOf('team=a,app=web', 'team=b').isWithin(scopeOf('team in (a,b)'))).toBe(true);
    expect(scopeOf('team=a', 'team=c').isWithin(scopeOf('team in (a,b)'))).toBe(false);
    expect(Scope.of([]).isWithin(scopeOf('team=a'))).toBe(true);
  });
});

const jane = { name: 'jane', groups: ['system:authenticated', 'a-team'] };
const pods = { verb: 'list', apiGroup: '', resource: 'pods', subresource: '', name: '' };
const subjects = [{ kind: 'Group', name: 'a-team' }];
const roleRef = { kind: 'ClusterRole', name: 'reader' };

function policyOf(): Policy {
  const policy = new Policy();
  const rules = [{ verbs: ['list'], apiGroups: [''], resources: ['pods'] }];
  policy.set('ClusterRole', { metadata: { name: 'reader' }, rules });
  const labelSelector = { matchLabels: { team: 'a' } };
  const metadata = { name: 'team', namespace: 'shop' };
  policy.set('AccessGrant', { metadata, roleRef, subjects, labelSelector });
  return policy;
}

describe('an access grant', () => {
  it("a grant gives its role's permissions for the matching objects of its namespace", () => {
    const { allowed, scope, reason } = authorize(policyOf(), jane, { ...pods, namespace: 'shop' });
    expect([allowed, `${scope}`]).toEqual([false, 'team=a']);
    expect(reason).toBe(
      'RBAC: allowed by AccessGrant "team/shop" of ClusterRole "reader" to Group "a-team", of objects with labels that match team=a',
    );
    for (const namespace of ['', 'other']) {
      expect(authorize(policyOf(), jane, { ...pods, namespace })).toEqual({ allowed: false, reason: '' });
    }
  });

  it('grants add up, and a ClusterAccessGrant applies in all namespaces', () => {
    const policy = policyOf();
    const labelSelector = { matchExpressions: [{ key: 'public', operator: 'Exists' }] };
    policy.set('ClusterAccessGrant', { metadata: { name: 'all' }, roleRef, subjects, labelSelector });
    const scopeIn = (namespace: string) => `${authorize(policy, jane, { ...pods, namespace }).scope}`;
    expect([scopeIn('shop'), scopeIn('other'), scopeIn('')]).toEqual([
      'public || team=a',
      'public',
      'public',
    ]);
    policy.delete('ClusterAccessGrant', { name: 'all' });
    policy.delete('AccessGrant', { namespace: 'shop', name: 'team' });
    expect(scopeIn('shop')).toBe('undefined');
  });

  it('a role binding for the same role makes a grant irrelevant', () => {
    const policy = policyOf();
    policy.set('RoleBinding', { metadata: { name: 'all', namespace: 'shop' }, roleRef, subjects });
    const { allowed, scope } = authorize(policy, jane, { ...pods, namespace: 'shop' });
    expect([allowed, scope]).toEqual([true, undefined]);
  });

  it('a grant gives no access to paths, and no rules that its subject could delegate', () => {
    const policy = policyOf();
    const rules = [{ verbs: ['*'], nonResourceURLs: ['*'] }];
    policy.set('ClusterRole', { metadata: { name: 'reader' }, rules });
    expect(authorize(policy, jane, { verb: 'get', path: '/version' }).allowed).toBe(false);
    expect(rulesFor(policyOf(), jane, 'shop').rules).toEqual([]);
  });

  it('a grant with an invalid or empty selector selects nothing', () => {
    for (const labelSelector of [undefined, {}, { matchLabels: { team: '!' } }, 7]) {
      const policy = policyOf();
      policy.set('AccessGrant', {
        metadata: { name: 'team', namespace: 'shop' },
        roleRef,
        subjects,
        labelSelector,
      });
      expect(`${authorize(policy, jane, { ...pods, namespace: 'shop' }).scope}`).toBe('');
    }
  });

  it('the reason names the role that does not exist', () => {
    const policy = policyOf();
    policy.delete('ClusterRole', { name: 'reader' });
    expect(authorize(policy, jane, { ...pods, namespace: 'shop' })).toEqual({
      allowed: false,
      reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "reader" not found',
    });
  });
});
