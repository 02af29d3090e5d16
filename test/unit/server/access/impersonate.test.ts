import { describe, expect, it } from '@jest/globals';
import { Policy } from '../../../../lib/kubernetes/rbac/index.ts';
import { impersonate } from '../../../../lib/server/access/impersonate.ts';
import { readImpersonation } from '../../../../lib/server/access/read-impersonation.ts';

const JOE = { username: 'joe', groups: ['system:authenticated'] };

/** A request of Joe with these headers; Joe may impersonate as a rule says, or every user. */
function ask(headers: Record<string, string[]>, ...rules: object[]) {
  const asked = readImpersonation(headers);
  if (asked === undefined) throw new Error('no headers');
  const policy = new Policy();
  const all = rules.map((rule) => ({ verbs: ['impersonate'], apiGroups: [''], ...rule }));
  policy.set('ClusterRole', { metadata: { name: 'may' }, rules: all });
  policy.set('ClusterRoleBinding', {
    metadata: { name: 'joe' },
    roleRef: { kind: 'ClusterRole', name: 'may' },
    subjects: [{ kind: 'User', name: 'joe' }],
  });
  return impersonate(JOE, asked, rules.length === 0 ? undefined : policy);
}

describe('The headers of impersonation', () => {
  it.each<[Record<string, string[]>, object]>([
    [{ 'impersonate-user': ['jane'] }, { username: 'jane', groups: ['system:authenticated'] }],
    [
      { 'impersonate-user': ['jane'], 'impersonate-group': ['a', 'b, c'] },
      { username: 'jane', groups: ['a', 'b, c', 'system:authenticated'] },
    ],
    [
      { 'impersonate-user': ['jane'], 'impersonate-group': ['system:unauthenticated'] },
      { username: 'jane', groups: ['system:unauthenticated'] },
    ],
    [
      { 'impersonate-user': ['system:anonymous'] },
      { username: 'system:anonymous', groups: ['system:unauthenticated'] },
    ],
    [
      { 'impersonate-user': ['system:serviceaccount:shop:robot'] },
      {
        username: 'system:serviceaccount:shop:robot',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
      },
    ],
    [
      {
        'impersonate-user': ['jane'],
        'impersonate-uid': ['7'],
        'impersonate-extra-acme.com%2fproject': ['one', 'two'],
      },
      {
        username: 'jane',
        uid: '7',
        groups: ['system:authenticated'],
        extra: { 'acme.com/project': ['one', 'two'] },
      },
    ],
  ])('by %j is %j', (headers, user) => {
    expect(ask(headers)).toEqual(user);
  });

  it('A request without such headers impersonates no user', () => {
    expect(readImpersonation({ authorization: ['impersonate-user'] })).toBeUndefined();
  });
});

describe('The permission to impersonate', () => {
  const users = { resources: ['users'], resourceNames: ['jane'] };

  it('Impersonation needs the permission for each of user, group, uid and extra', () => {
    const headers = { 'impersonate-user': ['jane'], 'impersonate-group': ['fleet'] };
    expect(ask({ 'impersonate-user': ['jane'] }, users).username).toBe('jane');
    expect(() => ask({ 'impersonate-user': ['jim'] }, users)).toThrow(
      'users "jim" is forbidden: User "joe" cannot impersonate resource "users" in API group "" at the cluster scope',
    );
    expect(() => ask(headers, users)).toThrow('groups "fleet" is forbidden');
    expect(ask(headers, users, { resources: ['groups'] }).groups).toContain('fleet');
  });

  it('An extra needs the permission for its key, and a service account one in its namespace', () => {
    const headers = {
      'impersonate-user': ['jane'],
      'impersonate-extra-team': ['x'],
      'impersonate-uid': ['7'],
    };
    const extras = { apiGroups: ['authentication.k8s.io'], resources: ['userextras/team', 'uids'] };
    expect(ask(headers, users, extras).extra).toEqual({ team: ['x'] });
    expect(() => ask({ ...headers, 'impersonate-extra-other': ['x'] }, users, extras)).toThrow(
      'cannot impersonate resource "userextras/other" in API group "authentication.k8s.io"',
    );
    expect(() => ask({ 'impersonate-user': ['system:serviceaccount:shop:robot'] }, users)).toThrow(
      'cannot impersonate resource "serviceaccounts" in API group "" in the namespace "shop"',
    );
  });

  it('Impersonation without a user is refused with the message of Kubernetes', () => {
    expect(() => ask({ 'impersonate-group': ['fleet'], 'impersonate-uid': ['7'] })).toThrow(
      'requested [{Group  fleet    } {UID  7  authentication.k8s.io/v1  }] without impersonating a user',
    );
  });
});
