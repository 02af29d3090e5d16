import { describe, expect, it } from '@jest/globals';
import { knownOf, mayOf, readGroups } from '../../../../console/see-as/subjects.ts';

describe('The users and groups of bindings and grants', () => {
  it('Users and groups come once each, and those of the system last', () => {
    const known = knownOf([
      {
        subjects: [
          { kind: 'User', name: 'tina' },
          { kind: 'Group', name: 'system:masters' },
        ],
      },
      {
        subjects: [
          { kind: 'User', name: 'tina' },
          { kind: 'Group', name: 'team' },
        ],
      },
      { subjects: [{ kind: 'ServiceAccount', name: 'reader', namespace: 'shop' }] },
      { subjects: null },
      { spec: { principal: 'arn:aws:iam::1:user/x', username: 'alice', groups: ['ops'] } },
      { spec: { principal: 'arn:aws:iam::1:user/y' } },
    ]);
    expect(known.users).toEqual([
      'alice',
      'arn:aws:iam::1:user/y',
      'tina',
      'system:serviceaccount:shop:reader',
    ]);
    expect(known.groups).toEqual(['ops', 'team', 'system:masters']);
  });

  it('Typed groups have commas or spaces between them', () => {
    expect(readGroups(' a, b  c,,a ')).toEqual(['a', 'b', 'c']);
    expect(readGroups('')).toEqual([]);
  });
});

describe('What a user may do', () => {
  it('A right over objects with certain labels is one over some objects', () => {
    const reason =
      'RBAC: allowed by AccessGrant "a/b" of ClusterRole "view" to User "t", of objects with labels that match x=y';
    expect(mayOf({ allowed: true })).toBe('yes');
    expect(mayOf({ allowed: false, reason })).toBe('some');
    expect(mayOf({ allowed: false })).toBe('no');
  });
});
