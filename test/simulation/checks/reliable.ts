import type { Asked } from '../history.ts';
import { describeSnapshot } from './describe.ts';
import type { Run } from './run.ts';
import type { Spell } from './spells.ts';
import { mayHaveLeft, type Transition } from './transitions.ts';
import { firstAfter, type Truth } from './truth.ts';
import type { Violation } from './violation.ts';

/** Guarantee "reliable": no change is missing between the first and the last that a reader receives. */
export function checkReliable(run: Run): Violation[] {
  return [...run.watched, ...run.queued].flatMap((spell) =>
    missingIn(run, spell).map((transition) => ({
      check: 'reliable',
      message: `${spell.name} was not told of a change`,
      evidence: [describeTransition(transition), `it was told all of @${spell.from}..@${spell.to} else`],
    })),
  );
}

/** The transitions that a spell should have delivered and did not. */
export function missingIn(run: Run, spell: Spell): Transition[] {
  const { asked, events, from, to } = spell;
  if (asked === undefined) return [];
  const transitions = run.transitions(asked);
  const told = new Set(events.map(({ object }) => object.rv));
  return transitions
    .slice(firstAfter(transitions, from), firstAfter(transitions, to))
    .filter((one) => !told.has(one.rv) && isOwed(run.truth, asked, { transition: one, from }));
}

/**
 * Whether a transition had to be delivered. Not if it may have happened before the spell began, or if the object may
 * not have matched by then.
 */
function isOwed(
  truth: Truth,
  asked: Asked,
  { transition, from }: { readonly transition: Transition; readonly from: number },
): boolean {
  const { since, type, object, change } = transition;
  if (since <= from) return false;
  const isUnsure = type === 'DELETED' && (change.before?.rv ?? 0) <= from;
  return !(isUnsure && mayHaveLeft(truth, asked, object.object));
}

/** `DELETED default/web@5 (token t3)`. */
export function describeTransition({ type, object }: Transition): string {
  return `${type} ${describeSnapshot(object)}`;
}
