import type { Snapshot } from '../history.ts';
import { describeSnapshot } from './describe.ts';
import { selectorOf } from './naive-selector.ts';
import { describeTransition, missingIn } from './reliable.ts';
import type { Run } from './run.ts';
import { isChange, type QueuedSpell, type WatchedSpell } from './spells.ts';
import { mayHaveLeft } from './transitions.ts';
import { stateAt } from './truth.ts';
import type { Violation } from './violation.ts';

/**
 * Guarantee "bookmarkable": behind a bookmark lies nothing that it covers. A watch's bookmark says that everything
 * up to its resourceVersion was told; a queue's, that the whole snapshot of that resourceVersion was.
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
  const { name, asked, snapshots, fifo, isLast, isCutShort } = spell;
  if (isLast && isCutShort) return [violation(`${name} has a snapshot that never ends`)];
  const violations =
    fifo && snapshots.length > 1 ? [violation(`${name} has two snapshots`, `@${snapshots.join(', @')}`)] : [];
  if (asked === undefined || snapshots.length === 0) return violations;
  const told = new Set(beforeBookmark(spell).map(({ object }) => object.token));
  const missing = statesAt(run, asked, Math.max(...snapshots)).filter(({ token }) => !told.has(token));
  const at = snapshots.join(', @');
  return [
    ...violations,
    ...missing.map((state) =>
      violation(`${name} lacks an object of its snapshot @${at}`, describeSnapshot(state)),
    ),
  ];
}

/** A Standard queue keeps no order: there the snapshot's objects may come behind its bookmark. */
function beforeBookmark({ fifo, messages, snapshotEvents }: QueuedSpell) {
  if (!fifo) return snapshotEvents;
  const bookmark = messages.findIndex(({ event }) => event.type === 'BOOKMARK');
  return messages
    .slice(0, bookmark)
    .map(({ event }) => event)
    .filter(isChange);
}

function statesAt({ truth }: Run, asked: NonNullable<QueuedSpell['asked']>, rv: number): Snapshot[] {
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
