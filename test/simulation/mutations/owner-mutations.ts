import type { Mutation } from './mutation.ts';

/** Mechanisms of lib/store/owners and lib/controllers/collect. */
export const OWNER_MUTATIONS: readonly Mutation[] = [
  {
    name: 'look-at-dependents',
    mechanism: 'a delete that finds dependents leaves a look at them in its own transaction',
    edits: [
      {
        file: 'lib/store/owners/asked-looks.ts',
        find: 'const leaves = after === undefined && asks.hasDependents;',
        replace: 'const leaves = false;',
      },
    ],
    scenario: 'owners',
  },
  {
    name: 'look-at-owners',
    mechanism: 'a write that names new owners leaves a look at them in its own transaction',
    edits: [
      {
        file: 'lib/store/owners/asked-looks.ts',
        find: '...(asks.addsOwners ? [',
        replace: '...(false ? [',
      },
    ],
    scenario: 'owners-at-once',
  },
  {
    name: 'owners-a-grace-later',
    mechanism: 'new owners are looked at a grace after the look is readable',
    edits: [
      {
        file: 'lib/controllers/collect/collect.ts',
        find: 'await clock.sleep(TIMING.grace);',
        replace: 'void TIMING;',
      },
    ],
    scenario: 'slow-owners',
  },
  {
    name: 'owners-settled',
    mechanism: 'what was written to an owner is decided before it is taken for there',
    edits: [
      {
        file: 'lib/controllers/collect/state-now.ts',
        find: 'const { items } = await store.list(collection, { namespace, name, selector: everything });',
        replace:
          'void everything;\n  const state = await store.get(collection, { namespace, name });\n  const items = state === undefined ? [] : [state];',
      },
    ],
    scenario: 'slow-owners',
  },
  {
    name: 'look-until-had',
    mechanism: 'a look is owed until it was had',
    edits: [
      {
        file: 'lib/controllers/collect/collect.ts',
        find: 'if (await work()) await endGcTask(table, look);',
        replace: 'await endGcTask(table, look);\n    await work();',
      },
    ],
    scenario: 'dying-owners',
  },
  {
    name: 'looks-come-again',
    mechanism: 'the schedule tells of looks that are due',
    edits: [
      {
        file: 'lib/controllers/reconcile/tick.ts',
        find: '...gcTasks.filter((task) => task.due <= now)',
        replace: '...gcTasks.slice(gcTasks.length)',
      },
    ],
    scenario: 'owners',
  },
  {
    name: 'owner-of-the-name',
    mechanism: 'another object of an owner’s name is not that owner',
    edits: [
      {
        file: 'lib/controllers/collect/owner-verdicts.ts',
        find: 'if (owner?.uid === uid) return sweeps(',
        replace: 'if (owner !== undefined) return sweeps(',
      },
    ],
    scenario: 'owners',
  },
  {
    name: 'foreground-waits',
    mechanism: 'an owner in the foreground waits for what blocks it',
    edits: [
      {
        file: 'lib/controllers/collect/check-dependents.ts',
        find: 'if (await isBlocked(options, look)) return false;',
        replace: 'void isBlocked;',
      },
    ],
    scenario: 'owners',
  },
  {
    name: 'last-owner',
    mechanism: 'an object stays as long as one of its owners does',
    edits: [
      {
        file: 'lib/controllers/collect/collect-dependent.ts',
        find: 'if (left.length < judged.length) {',
        replace: 'if (left.length < 0) {',
      },
    ],
    scenario: 'owners',
  },
  {
    name: 'rows-go-with-references',
    mechanism: 'the row of a reference goes in the transaction that takes the reference off',
    edits: [
      {
        file: 'lib/store/owners/plan-owners.ts',
        find: '...gone.map((uid) => ({ delete: dependentKey(uid, collection, name) })),',
        replace: '',
      },
    ],
    scenario: 'owners',
  },
];
