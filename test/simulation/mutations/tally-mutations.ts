import type { Mutation } from './mutation.ts';

/** Mechanisms of what proves a set: lib/delivery/tallies. */
export const TALLY_MUTATIONS: readonly Mutation[] = [
  {
    name: 'tally-of-its-attempt',
    mechanism: 'what dispatch counted is of one attempt: what comes after goes on from the state',
    edits: [
      {
        file: 'lib/delivery/tallies/tally-rows.ts',
        find: 'if (row === undefined || !String(row.place).startsWith(prefixOf(state))) return undefined;',
        replace:
          'if (row === undefined || !String(row.place).startsWith(padVersion(state.start))) return undefined;',
      },
    ],
    scenario: 'verified',
  },
  {
    name: 'tally-only-rises',
    mechanism: 'what dispatch counted only rises: who outlived a lease takes nothing back',
    edits: [
      {
        file: 'lib/delivery/tallies/tally-rows.ts',
        find: "condition: [{ any: [{ missing: 'place' }, { attribute: 'place', is: '<', value: place }] }],",
        replace: '',
      },
    ],
    scenario: 'verified-outlived',
  },
  {
    name: 'tally-before-the-cursor',
    mechanism: 'what dispatch counted is stored before the cursor moves',
    edits: [
      {
        file: 'lib/delivery/dispatch/run-round.ts',
        find: 'if (events.length > 0) await storeDigest(turn.table, state, { position: upTo, ...after() });',
        replace:
          'if (events.length > 0) void storeDigest(turn.table, state, { position: upTo, ...after() }).catch(() => {});',
      },
    ],
    scenario: 'verified',
  },
  {
    name: 'counted-is-sent',
    mechanism: 'what is counted was sent, and is not counted again',
    edits: [
      {
        file: 'lib/delivery/dispatch/run-round.ts',
        find: 'const events = before === undefined ? all : all.filter(({ object }) => object.rv > before.position);',
        replace: 'const events = all;',
      },
    ],
    scenario: 'verified',
  },
  {
    name: 'tally-with-a-fall',
    mechanism: 'who falls back takes along what was counted up to the position',
    edits: [
      {
        file: 'lib/delivery/dispatch/run-round.ts',
        find: 'failure, message, auditID, ...after(accepted) });',
        replace: 'failure, message, auditID });',
      },
    ],
    scenario: 'verified',
  },
  {
    name: 'tally-when-let-go',
    mechanism: 'who is let go of takes along what was counted',
    edits: [
      {
        file: 'lib/delivery/dispatch/run-round.ts',
        find: 'tallies.get(state.uid) ?? { position: 0, tally: state.tally };',
        replace: '{ position: 0, tally: state.tally };',
      },
    ],
    scenario: 'verified',
  },
  {
    name: 'tally-of-what-was-taken',
    mechanism: 'reconcile counts what its queue took, where it did not take all',
    edits: [
      {
        file: 'lib/delivery/reconcile/follow-journal.ts',
        find: '      ...after(accepted),\n',
        replace: '',
      },
    ],
    scenario: 'verified',
  },
  {
    name: 'tally-with-its-page',
    mechanism: 'what is counted of a page of an edit is stored with the end of the page',
    edits: [
      {
        file: 'lib/delivery/reconcile/send-difference.ts',
        find: 'return boundary === undefined ? after() : { boundary, ...after() };',
        replace: 'progress.note(after());\n  return boundary === undefined ? {} : { boundary };',
      },
    ],
    scenario: 'verified',
  },
  {
    name: 'page-before-what-follows',
    mechanism: 'where a page of an edit ends is stored before anything behind it is sent',
    edits: [
      {
        file: 'lib/delivery/reconcile/progress.ts',
        find: "    if (this.state.tally !== '') await this.#store({});\n",
        replace: '',
      },
    ],
    scenario: 'verified',
  },
  {
    name: 'set-to-begin-with',
    mechanism: 'who begins at a resourceVersion has the set of then counted first',
    edits: [
      {
        file: 'lib/delivery/subscription/subscription-state.ts',
        find: "return verified ? 'count' : 'journal';",
        replace: "return 'journal';",
      },
    ],
    scenario: 'verified',
  },
];
