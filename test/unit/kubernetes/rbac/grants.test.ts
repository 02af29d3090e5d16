import { describe, expect, it } from '@jest/globals';
import { authorize, Policy, rulesFor, Scope } from '../../../../lib/kubernetes/rbac/index.ts';
import { everything, type Labels, nothing, parseSelector } from '../../../../lib/selectors/index.ts';

const scopeOf = (...texts: string[]) => Scope.of(texts.map((text) => parseSelector(text)));

describe('A scope of grants', () => {
  it('A scope has one canonical text for its selectors, and is read back from it', () => {
    const scope = scopeOf('team=b,environment in (dev,test)', 'team in (a)', 'team=a', 'team=a,app=web');
    expect(`${scope}`).toBe('environment in (dev,test),team=b || team=a');
    expect(`${Scope.parse(`${scope}`)}`).toBe(`${scope}`);
    expect(scope.selectors).toHaveLength(2);
  });

  it('A scope has the objects of each of its selectors', () => {
    const scope = scopeOf('team=a', 'team=b,app');
    const labels: Labels[] = [{ team: 'a' }, { team: 'b' }, { team: 'b', app: 'web' }, {}];
    expect(labels.map((one) => scope.matches(one))).toEqual([true, false, true, false]);
  });

  it('A scope is empty if its selectors are contradictory or absent', () => {
    for (const scope of [scopeOf('a=1,a=2'), Scope.of([everything, nothing]), Scope.parse('')]) {
      expect(`${scope}`).toBe('');
      expect(scope.matches({ a: '1' })).toBe(false);
    }
  });

  it('A scope is within another one that has all of its objects', () => {
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

describe('A grant of a role', () => {
  it('A grant gives the permissions of a role for the matching objects, in its namespace', () => {
    const { allowed, scope, reason } = authorize(policyOf(), jane, { ...pods, namespace: 'shop' });
    expect([allowed, `${scope}`]).toEqual([false, 'team=a']);
    expect(reason).toBe(
      'RBAC: allowed by AccessGrant "team/shop" of ClusterRole "reader" to Group "a-team", of objects with labels that match team=a',
    );
    for (const namespace of ['', 'other']) {
      expect(authorize(policyOf(), jane, { ...pods, namespace })).toEqual({ allowed: false, reason: '' });
    }
  });

  it('A grant is joined with others, and a cluster-wide one applies in all namespaces', () => {
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

  it('A grant adds nothing to a binding of the same role', () => {
    const policy = policyOf();
    policy.set('RoleBinding', { metadata: { name: 'all', namespace: 'shop' }, roleRef, subjects });
    const { allowed, scope } = authorize(policy, jane, { ...pods, namespace: 'shop' });
    expect([allowed, scope]).toEqual([true, undefined]);
  });

  it('A grant gives no paths, and no permission that could be passed on', () => {
    const policy = policyOf();
    const rules = [{ verbs: ['*'], nonResourceURLs: ['*'] }];
    policy.set('ClusterRole', { metadata: { name: 'reader' }, rules });
    expect(authorize(policy, jane, { verb: 'get', path: '/version' }).allowed).toBe(false);
    expect(rulesFor(policyOf(), jane, 'shop').rules).toEqual([]);
  });

  it('A grant with a malformed selector, or one that restricts nothing, selects nothing', () => {
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

  it('A grant names the missing role', () => {
    const policy = policyOf();
    policy.delete('ClusterRole', { name: 'reader' });
    expect(authorize(policy, jane, { ...pods, namespace: 'shop' })).toEqual({
      allowed: false,
      reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "reader" not found',
    });
  });
});
