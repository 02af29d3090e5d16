import type { Asked, Snapshot } from '../history.ts';
import { describeSnapshot } from './describe.ts';
import { folded } from './folded.ts';
import { selectorOf } from './naive-selector.ts';
import { describeTransition, missingIn } from './reliable.ts';
import type { Run } from './run.ts';
import {
  type EndedEdit,
  isChange,
  type QueuedSpell,
  type SpellMessage,
  versionOf,
  type WatchedSpell,
} from './spells.ts';
import { mayHaveLeft } from './transitions.ts';
import { stateAt } from './truth.ts';
import type { Violation } from './violation.ts';

/**
 * Guarantee "bookmarkable": no event that a bookmark covers follows it. A watch's bookmark says that the watch has
 * delivered everything up to its resourceVersion. A queue's bookmark says that the queue has delivered the whole edit
 * up to that resourceVersion. A snapshot is an edit from nothing.
 */
export function checkBookmarkable(run: Run): Violation[] {
  return [
    ...run.watched.flatMap((spell) => checkWatched(run, spell)),
    ...run.queued.flatMap((spell) => checkQueued(run, spell)),
  ];
}

function checkWatched(run: Run, spell: WatchedSpell): Violation[] {
  let checked = spell.from;
  return spell.all.flatMap((event, index) => {
    if (event.type !== 'BOOKMARK' || event.rv <= checked) return [];
    const events = spell.all.slice(0, index).filter(isChange);
    const missing = missingIn(run, { ...spell, events, to: event.rv }).filter(({ rv }) => rv > checked);
    checked = event.rv;
    return missing.map((one) =>
      violation(`${spell.name} was given the bookmark @${event.rv} too early`, describeTransition(one)),
    );
  });
}

function checkQueued(run: Run, spell: QueuedSpell): Violation[] {
  const { name, fifo, isLast, isCutShort, messages, edits } = spell;
  if (isLast && isCutShort) return [violation(`${name} has an edit that never ends`)];
  const marks = messages.filter(({ event }) => event.type === 'BOOKMARK');
  const each = new Set(marks.map(({ event, edit }) => `${edit} @${versionOf(event)}`));
  const violations =
    fifo && each.size > edits.length
      ? [violation(`${name} has two ends of one edit`, [...each].join(', '))]
      : [];
  const isWhole = edits[0]?.isSnapshot === true;
  return [...violations, ...(isWhole ? edits.flatMap((ended) => checkEdit(run, spell, ended)) : [])];
}

/** A consumer that began with a snapshot knows exactly the selected objects at the end of each edit. */
function checkEdit(run: Run, spell: QueuedSpell, { edit, rv, asked }: EndedEdit): Violation[] {
  if (asked === undefined) return [];
  const before = beforeEnd(spell, edit);
  const known = folded(before);
  // A Standard queue keeps no order, so its messages may be newer than the bookmark.
  const old = before
    .map(({ event }) => event)
    .filter(isChange)
    .filter(({ object }) => object.rv <= rv);
  const told = new Set(old.map(({ object }) => object.token));
  const isKnown = ({ object, token }: Snapshot) =>
    spell.fifo ? known.get(object)?.token === token : told.has(token);
  const missing = statesAt(run, asked, rv).filter((state) => !isKnown(state));
  const stale = spell.fifo ? [...known.values()].filter((state) => !isThere(run, asked, state, rv)) : [];
  return [
    ...missing.map((state) =>
      violation(`${spell.name} lacks an object of its edit ${edit} @${rv}`, describeSnapshot(state)),
    ),
    ...stale.map((state) =>
      violation(`${spell.name} was left an object by its edit ${edit} @${rv}`, describeSnapshot(state)),
    ),
  ];
}

/**
 * The messages before the end of an edit. A Standard queue keeps no order, so all its messages up to this edit count,
 * also those after the bookmark.
 */
function beforeEnd({ fifo, messages }: QueuedSpell, edit: number): readonly SpellMessage[] {
  if (!fifo) return messages.filter((message) => message.edit <= edit);
  const bookmark = messages.findIndex(({ event, edit: own }) => event.type === 'BOOKMARK' && own === edit);
  return messages.slice(0, bookmark);
}

function isThere(run: Run, asked: Asked, { object, token }: Snapshot, rv: number): boolean {
  const { state, doubtful } = stateAt(run.truth, object, rv);
  if (doubtful || run.truth.unseen.has(object)) return true;
  return state?.token === token && selectorOf(asked)(state);
}

function statesAt({ truth }: Run, asked: Asked, rv: number): Snapshot[] {
  const selects = selectorOf(asked);
  return [...truth.chains.keys()].flatMap((object) => {
    const { state, doubtful } = stateAt(truth, object, rv);
    if (state === undefined || doubtful || !selects(state) || mayHaveLeft(truth, asked, object)) return [];
    return [state];
  });
}

function violation(message: string, ...evidence: string[]): Violation {
  return { check: 'bookmarkable', message, evidence };
}
