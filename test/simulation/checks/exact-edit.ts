import type { Asked } from '../history.ts';
import { selectorOf } from './naive-selector.ts';
import type { Run } from './run.ts';
import { describeEvent, isChange, type QueuedSpell, type SpellMessage } from './spells.ts';
import { stateAt } from './truth.ts';
import type { Violation } from './violation.ts';

type Selects = ReturnType<typeof selectorOf>;

/**
 * Guarantee "exact-edit": an edit sends ADDED for exactly the objects that enter, and DELETED for those that leave, in
 * the state at its position. It sends nothing for objects that stay. A snapshot is an edit from nothing. Standard
 * queues are not checked: their messages do not tell an edit from changes.
 */
export function checkExactEdit(run: Run): Violation[] {
  return run.queued.filter(({ fifo }) => fifo).flatMap((spell) => checkSpell(run, spell));
}

function checkSpell(run: Run, spell: QueuedSpell): Violation[] {
  const { edits, messages, name } = spell;
  return edits.flatMap(({ edit, isSnapshot, asked }) => {
    const old = askedBefore(spell, edit);
    if (asked === undefined || (!isSnapshot && old === undefined)) return [];
    const was: Selects = isSnapshot || old === undefined ? () => false : selectorOf(old);
    const is = selectorOf(asked);
    return messages
      .filter((message) => message.edit === edit && message.position !== undefined)
      .filter((message) => !isDue(run, message, { was, is }))
      .map((message) =>
        violation(name, `edit ${edit} @${message.position}: ${describeEvent(message.event)}`),
      );
  });
}

/**
 * What the subscription requested before an edit. Undefined if unknown: the edit before never ended, or began before
 * this spell.
 */
function askedBefore({ edits }: QueuedSpell, edit: number): Asked | undefined {
  return edits.find((one) => one.edit === edit - 1)?.asked;
}

interface Selections {
  readonly was: Selects;
  readonly is: Selects;
}

function isDue(run: Run, { event, position = 0 }: SpellMessage, { was, is }: Selections): boolean {
  if (!isChange(event)) return true;
  const { state, doubtful } = stateAt(run.truth, event.object.object, position);
  if (doubtful || run.truth.unseen.has(event.object.object)) return true;
  if (state?.token !== event.object.token) return false;
  if (event.type === 'DELETED') return was(state) && !is(state) && event.object.rv === position;
  return event.type === 'ADDED' && !was(state) && is(state) && event.object.rv === state.rv;
}

function violation(name: string, evidence: string): Violation {
  return { check: 'exact-edit', message: `${name} was told of an edit what is not so`, evidence: [evidence] };
}
