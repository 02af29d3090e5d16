import type { Mutation } from './mutation.ts';

const SPLIT = 'lib/delivery/shards/split-shard.ts';

/** Mechanisms of many subscriptions and many writes: groups, split while they run, and their hints. */
export const GROUP_MUTATIONS: readonly Mutation[] = [
  {
    name: 'group-begins-where-it-was',
    mechanism: 'a new group begins at the position of the one that it is split from',
    edits: [
      {
        file: 'lib/delivery/shards/split-shard.ts',
        find: 'set: { position, until, members: 1, seen: 0, admitting },',
        replace: 'set: { position: position + 4, until, members: 1, seen: 0, admitting },',
      },
    ],
    scenario: 'groups',
  },
  {
    name: 'sample-has-an-end',
    mechanism: 'the relay hints at what writers left out of their sample',
    edits: [
      {
        file: 'lib/coordination/relay.ts',
        find: 'await options.hints.send(await followedHints(options, newest));',
        replace: 'void followedHints;',
      },
    ],
    scenario: 'sampled-hints',
  },
  {
    name: 'others-are-told',
    mechanism: 'the first group tells the others of what it was hinted at',
    edits: [
      {
        file: 'lib/delivery/shards/hint-shards.ts',
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
        file: 'lib/delivery/shards/bump-subscriptions.ts',
        find: "condition: group === undefined ? [{ missing: 'until' }]",
        replace: 'condition: group === undefined ? []',
      },
      {
        file: 'lib/delivery/shards/bump-subscriptions.ts',
        find: 'bucketOf(uid) < raised.until',
        replace: 'bucketOf(uid) >= 0',
      },
    ],
    scenario: 'groups-by-hints',
  },
  {
    name: 'late-admissions',
    mechanism: 'who may be admitted late by an earlier dispatcher is sent to by the next one',
    edits: [
      {
        file: 'lib/delivery/dispatch/next-to-activate.ts',
        find: 'index < admissions || uid <= admitting',
        replace: "index < admissions || (admitting !== '' && uid < '')",
      },
    ],
    scenario: 'late-admissions',
  },
  {
    name: 'split-by-its-holder',
    mechanism: 'a group is split by the holder of its lease, and once',
    edits: [
      {
        file: SPLIT,
        find: "condition: [{ attribute: 'leaseHolder', is: '=', value: holder }],",
        replace: '',
      },
      { file: SPLIT, find: "condition: [{ missing: 'pk' }],", replace: '' },
    ],
    scenario: 'groups-outlived',
  },
  {
    name: 'split-is-told',
    mechanism: 'other dispatchers read again what a split left them',
    edits: [{ file: SPLIT, find: 'add: { members: 1 },', replace: '' }],
    scenario: 'groups-by-time',
  },
  {
    name: 'no-cursor-no-group',
    mechanism: 'a group without a cursor does nothing',
    edits: [
      {
        file: 'lib/coordination/cursor.ts',
        find: 'const isThere = cursor !== undefined || group === 0;',
        replace: 'const isThere = true;',
      },
      {
        file: 'lib/delivery/dispatch/dispatch.ts',
        find: 'condition: group === 0 ? []',
        replace: 'condition: group >= 0 ? []',
      },
    ],
    scenario: 'groups-for-long',
  },
  {
    name: 'split-is-known',
    mechanism: 'nobody goes on who does not know whether a group was split',
    edits: [
      {
        file: SPLIT,
        find: "if (outcome === 'unknown') throw",
        replace: "if (outcome === 'unknown' && middle < 0) throw",
      },
    ],
    scenario: 'groups-unsure',
  },
];
