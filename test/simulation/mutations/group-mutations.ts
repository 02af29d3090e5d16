import type { Mutation } from './mutation.ts';

/** Mechanisms of many subscriptions and many writes: groups, split while they run, and their hints. */
export const GROUP_MUTATIONS: readonly Mutation[] = [
  {
    name: 'group-begins-where-it-was',
    mechanism: 'a new group begins at the position of the one that it is split from',
    edits: [
      {
        file: 'lib/watch/groups/split-group.ts',
        find: 'set: { position, until, members: 1, seen: 0 },',
        replace: 'set: { position: position + 4, until, members: 1, seen: 0 },',
      },
    ],
    scenario: 'groups',
  },
  {
    name: 'sample-has-an-end',
    mechanism: 'the relay hints at what writers left out of their sample',
    edits: [
      {
        file: 'lib/watch/relay.ts',
        find: 'await options.hints.send([...newest].map(([collection, rv]) => ({ collection, rv })));',
        replace: 'void newest;',
      },
    ],
    scenario: 'sampled-hints',
  },
  {
    name: 'others-are-told',
    mechanism: 'the first group tells the others of what it was hinted at',
    edits: [
      {
        file: 'lib/watch/groups/tell-groups.ts',
        find: 'if (group !== 0 || !isSplit(cursor)) return;',
        replace: 'if (group >= 0 || !isSplit(cursor)) return;',
      },
    ],
    scenario: 'groups-by-hints',
  },
  {
    name: 'raised-in-its-group',
    mechanism: 'reconcile tells the group that a subscription is of',
    edits: [
      {
        file: 'lib/watch/groups/raise-members.ts',
        find: "condition: group === undefined ? [{ missing: 'until' }]",
        replace: 'condition: group === undefined ? []',
      },
      {
        file: 'lib/watch/groups/raise-members.ts',
        find: 'placeOf(uid) < raised.until',
        replace: 'placeOf(uid) >= 0',
      },
    ],
    scenario: 'groups-by-hints',
  },
];
