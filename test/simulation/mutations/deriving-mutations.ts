import type { Mutation } from './mutation.ts';

const TURN = 'lib/delivery/dispatch/run-round.ts';
const DERIVER = 'lib/coordination/deriving/deriver.ts';
const ROWS = 'lib/coordination/deriving/work-items.ts';
const SENDING = 'lib/coordination/deriving/send-due.ts';
const CONCERNED = 'lib/controllers/deriving/concerned.ts';

/** Mechanisms of what is derived. */
export const DERIVING_MUTATIONS: readonly Mutation[] = [
  {
    name: 'due-before-the-cursor',
    mechanism: 'what is due has its rows before the cursor moves',
    edits: [
      {
        file: TURN,
        find: '  if (derives) await makeDue(turn, { upTo: reached, changes: told });\n',
        replace: '',
      },
      {
        file: TURN,
        find: 'return endTurn(turn, { position: Math.max(cursor, reached), seen: seen() });',
        replace:
          'const ended = await endTurn(turn, { position: Math.max(cursor, reached), seen: seen() });\n  if (derives) await makeDue(turn, { upTo: reached, changes: told });\n  return ended;',
      },
    ],
    scenario: 'dying-deriving',
  },
  {
    name: 'wanted-before-what-is-read',
    mechanism: 'what is wanted is read before what is derived from, and not after',
    edits: [
      {
        file: DERIVER,
        find: 'settleRow(table, { due, holder',
        replace: 'settleRow(table, { due: parseDue((await table.get(key)) ?? row), holder',
      },
    ],
    scenario: 'deriving',
  },
  {
    name: 'row-stays-where-wanted-moved',
    mechanism: 'a row goes only if no more was wanted meanwhile',
    edits: [{ file: ROWS, find: '[held, ...unmoved]', replace: '[held, ...unmoved.slice(unmoved.length)]' }],
    scenario: 'deriving',
  },
  {
    name: 'seen-is-what-was-read',
    mechanism: 'what was seen is the version of the list that was read, and not what is wanted since',
    edits: [
      {
        file: ROWS,
        find: 'Math.max(derived.seen.get(collection) ?? 0, due.wanted.get(collection) ?? 0)',
        replace: 'Number.MAX_SAFE_INTEGER',
      },
    ],
    scenario: 'deriving',
  },
  {
    name: 'labels-before-and-after',
    mechanism: 'who selected a pod before its labels changed is concerned as well',
    edits: [{ file: CONCERNED, find: '[change.before, change.after]', replace: '[change.after]' }],
    scenario: 'deriving',
  },
  {
    name: 'due-is-sent-again',
    mechanism: 'the schedule sends again whatever is due',
    edits: [{ file: SENDING, find: '        due.push(one);\n', replace: '' }],
    scenario: 'deriving',
  },
];
