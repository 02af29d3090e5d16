import type { Mutation } from './mutation.ts';

const ADVANCE = 'lib/delivery/dispatch/advance-count.ts';
const RECONCILE = 'lib/delivery/reconcile/reconcile-tally.ts';
const COUNT_ANEW = 'lib/delivery/reconcile/count-anew.ts';
const TURN = 'lib/delivery/dispatch/run-round.ts';

/** Mechanisms of Tallies: what is counted, by whom, and what is told of it. */
export const COUNTING_MUTATIONS: readonly Mutation[] = [
  {
    name: 'counted-once',
    mechanism: 'what a Tally has counted already is not counted again',
    edits: [
      {
        file: ADVANCE,
        find: 'deltas.after(parseCounts(String(row.counts)), position)',
        replace: 'deltas.after(parseCounts(String(row.counts)), 0)',
      },
    ],
    scenario: 'tallies-outlived',
  },
  {
    name: 'counts-where-they-were-read',
    mechanism: 'counts move with the position, only from where they were read',
    edits: [{ file: ADVANCE, find: "{ attribute: 'position', is: '=', value: position },", replace: '' }],
    scenario: 'tallies-outlived',
  },
  {
    name: 'counted-before-the-cursor',
    mechanism: 'a turn’s changes are counted before the cursor moves',
    edits: [
      {
        file: TURN,
        find: 'if (deltas !== undefined) return advanceCount(turn, { state, deltas, upTo });',
        replace:
          'if (deltas !== undefined) return void advanceCount(turn, { state, deltas, upTo }).catch(() => {});',
      },
    ],
    scenario: 'dying-tallies',
  },
  {
    name: 'counted-for-its-edit',
    mechanism: 'what was gathered for one edit of a Tally is not counted for the next',
    edits: [
      { file: ADVANCE, find: 'row.edit !== state.edit || ', replace: '' },
      { file: ADVANCE, find: "{ attribute: 'edit', is: '=', value: state.edit },", replace: '' },
    ],
    scenario: 'tallies',
  },
  {
    name: 'counted-anew-is-an-edit',
    mechanism: 'what is counted anew is another edit, so nobody goes on with what was before',
    edits: [{ file: COUNT_ANEW, find: 'edit: edit + 1,', replace: 'edit,' }],
    scenario: 'tallies',
  },
  {
    name: 'counted-from-its-position',
    mechanism: 'a Tally that was counted anew is admitted from its own position, not from the cursor',
    edits: [{ file: COUNT_ANEW, find: "membership: 'ready',", replace: "membership: 'synced'," }],
    scenario: 'tallies',
  },
  {
    name: 'counted-in-other-namespaces',
    mechanism: 'where a Tally’s namespaceSelector selects other namespaces, all is counted anew',
    edits: [
      {
        file: RECONCILE,
        find: 'if (spec.selecting.namespaceSelector !== undefined && isOther(selected, state)) return true;',
        replace: 'void isOther;',
      },
    ],
    scenario: 'tallies-of-teams',
  },
];
