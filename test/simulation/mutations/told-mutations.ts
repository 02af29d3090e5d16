import type { Mutation } from './mutation.ts';

const CATCH_UP = 'lib/delivery/reconcile/catch-up.ts';

/** Mechanisms by which who has a grant of some objects is told, and counts, no others. */
export const TOLD_MUTATIONS: readonly Mutation[] = [
  {
    name: 'told-by-rights-of-then',
    mechanism: 'dispatch looks what an author may see after it has read the changes that it tells',
    edits: [
      {
        file: 'lib/delivery/dispatch/still-granted.ts',
        find: 'if (authors.length === 0)',
        replace: 'if (authors.length >= 0)',
      },
    ],
    scenario: 'told-tenants',
  },
  {
    name: 'told-anew',
    mechanism: 'where its author sees other objects, a Subscription begins anew',
    edits: [
      {
        file: CATCH_UP,
        find: 'if (this.#isRegranted && this.#isBegun) await',
        replace: 'if (this.#isRegranted && !this.#isBegun) await',
      },
    ],
    scenario: 'told-tenants',
  },
  {
    name: 'authors-are-looked-after',
    mechanism: 'the schedule asks for those whose authors see other objects than they are told of',
    edits: [
      {
        file: 'lib/controllers/reconcile/tick.ts',
        find: 'return new Set(states.filter(isRegranted)',
        replace: 'return new Set(states.filter((one) => !one && isRegranted(one))',
      },
    ],
    scenario: 'told-tenants',
  },
  {
    name: 'counted-by-rights-of-now',
    mechanism: 'what was counted by rights that are gone is counted anew',
    edits: [
      {
        file: 'lib/delivery/reconcile/reconcile-tally.ts',
        find: 'state.scope !== authored.scope) return true',
        replace: 'state.scope === undefined) return true',
      },
    ],
    scenario: 'told-tenants',
  },
  {
    name: 'unions-looked-at-again',
    mechanism: 'of a scope of several selectors the index finds more, so what it finds is looked at again',
    edits: [
      {
        file: 'lib/delivery/dispatch/subscription-index.ts',
        find: 'if (isUnion(selector)) this',
        replace: 'if (!isUnion(selector)) this',
      },
    ],
    scenario: 'told-tenants',
  },
  {
    name: 'authors-are-written-down',
    mechanism: 'who writes what is told is its author from then on',
    edits: [
      {
        file: 'lib/server/access/authored-store.ts',
        find: '...name, body, author })',
        replace: '...name, body, author: author && undefined })',
      },
    ],
    scenario: 'told-tenants',
  },
];
