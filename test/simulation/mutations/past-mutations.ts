import type { Mutation } from './mutation.ts';

const OBJECT = 'lib/store/history/history-of.ts';
const COLLECTION = 'lib/store/history/changes-back.ts';

/** Mechanisms of lib/store/history, and of the rows that it reads. */
export const PAST_MUTATIONS: readonly Mutation[] = [
  {
    name: 'follows-what-was-before',
    mechanism: 'history continues at the resourceVersion that an entry names, not at the one below',
    edits: [
      {
        file: OBJECT,
        find: 'all || previousMain === 0 ? previousRv : previousMain;',
        replace: 'all || previousMain === 0 ? rv - 1 : previousMain;',
      },
    ],
    scenario: 'history',
  },
  {
    name: 'history-of-one-name',
    mechanism: 'history takes an entry only if it is of the object that was asked for',
    edits: [{ file: OBJECT, find: ' || entry.nameKey !== nameKey(name)', replace: '' }],
    scenario: 'history',
  },
  {
    name: 'read-again-consistently',
    mechanism: 'an entry that an eventually consistent read does not find is read again',
    edits: [{ file: OBJECT, find: ' ?? (await readRow(options, key, isYoung))', replace: '' }],
    scenario: 'history',
  },
  {
    name: 'waits-for-readable-rows',
    mechanism: 'a young entry that another row names, but that is not readable yet, is waited for',
    edits: [{ file: OBJECT, find: ' || !isYoung || pause > LAST_PAUSE)', replace: ' || pause > 0)' }],
    scenario: 'history-row-by-row',
  },
  {
    name: 'tombstone-before-the-create',
    mechanism: 'a tombstone of a later delete is not the end of the former life',
    edits: [
      { file: OBJECT, find: 'if (tombstone < present.rv) return', replace: 'if (tombstone > 0) return' },
    ],
    scenario: 'history',
  },
  {
    name: 'expired-is-gone',
    mechanism: 'an entry past its time is not shown, although its row may still exist',
    edits: [{ file: OBJECT, find: "entry.expires <= clock.now() ? 'Expired' : entry", replace: 'entry' }],
    scenario: 'history-of-days',
  },
  {
    name: 'former-kind-is-hidden',
    mechanism: 'a new definition of a kind ends the history of the former one',
    edits: [
      {
        file: 'lib/server/registry/definition-store.ts',
        find: "await store.raise(collection, 'floor', head);",
        replace: '',
      },
    ],
    scenario: 'history-of-kinds',
  },
  {
    name: 'status-alone-is-left-out',
    mechanism: 'history leaves out no change of more than the status',
    edits: [
      {
        file: 'lib/store/journal.ts',
        find: ": key !== 'status',",
        replace: ": key !== 'status' && key !== 'spec',",
      },
    ],
    scenario: 'history',
  },
  {
    name: 'main-change-in-the-row',
    mechanism: "the object's row names its last change of more than the status",
    edits: [
      {
        file: 'lib/store/write-plan.ts',
        find: 'entry.changesMain ? rv : entry.previousMain;',
        replace: 'entry.previousMain === 0 ? rv : entry.previousMain;',
      },
    ],
    scenario: 'history',
  },
  {
    name: 'waits-for-writers',
    mechanism: 'the changes of a collection wait for writers that may still commit',
    edits: [{ file: COLLECTION, find: 'if (first === undefined || last === undefined) ', replace: '' }],
    scenario: 'history',
  },
];
