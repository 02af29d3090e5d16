import type { Mutation } from './mutation.ts';

const USER_NOW = 'lib/server/policies/user-now.ts';

/** Mechanisms by which delivery ends with the identity of its author. */
export const AUTHOR_MUTATIONS: readonly Mutation[] = [
  {
    name: 'author-of-one-uid',
    mechanism: 'the author is the service account of one uid: a new one of its name is another author',
    edits: [{ file: USER_NOW, find: 'found.uid !== uid || ', replace: '' }],
    scenario: 'authors',
  },
  {
    name: 'named-account-of-one-uid',
    mechanism: 'spec.serviceAccountName is resolved to the uid that the account has when the spec is written',
    edits: [
      {
        file: 'lib/server/access/resolve-author.ts',
        find: 'groups: accountGroups(namespace), uid: found.uid }',
        replace: 'groups: accountGroups(namespace) }',
      },
    ],
    scenario: 'authors',
  },
  {
    name: 'groups-of-the-entry-now',
    mechanism:
      'an IAM principal is in the groups that its AccessEntry has now, not in those of the day of writing',
    edits: [{ file: USER_NOW, find: '= userOf(entry, own)', replace: '= author' }],
    scenario: 'authors',
  },
  {
    name: 'groups-that-were-seen-last',
    mechanism: 'a user is in the groups that were seen last, not in those of the day of writing',
    edits: [{ file: USER_NOW, find: 'groups: seen?.groups ?? groups', replace: 'groups' }],
    scenario: 'authors',
  },
  {
    name: 'principal-ends-with-its-entry',
    mechanism: 'an IAM principal whose AccessEntry is deleted does not go on by the rights of its ARN',
    edits: [
      { file: USER_NOW, find: 'if (hadEntry(author, principal)) return', replace: 'if (!author) return' },
    ],
    scenario: 'authors',
  },
];
