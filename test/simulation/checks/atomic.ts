import type { Snapshot } from '../history.ts';
import { describeOperation, describeSnapshot } from './describe.ts';
import { namespaceOf } from './naive-selector.ts';
import type { Run } from './run.ts';
import type { Sighting } from './sightings.ts';
import { type ChangeEvent, describeEvent, isChange, type QueuedSpell, type Spell } from './spells.ts';
import type { Transition } from './transitions.ts';
import type { Truth } from './truth.ts';
import type { Violation } from './violation.ts';

/**
 * Guarantee "atomic": every reader sees an object as ONE write left it. An event is one whole change of one object:
 * its type, its state and its resourceVersion belong together.
 */
export function checkAtomic(run: Run): Violation[] {
  const written = new Map(
    run.history.operations.flatMap((one) => (one.wrote ? [[one.wrote.token, one]] : [])),
  );
  return [
    ...run.sightings.flatMap((sighting) => checkSighting(sighting, run.truth, written)),
    ...run.truth.changes.flatMap((change) => checkOrigin(run, change)),
    ...[...run.watched, ...run.queued, ...run.queued.flatMap(edited)].flatMap((spell) =>
      checkEvents(run, spell),
    ),
  ];
}

function checkSighting({ by, snapshot, as }: Sighting, truth: Truth, written: Written): Violation[] {
  const writer = written.get(snapshot.token);
  const seen = [`${by}: ${describeSnapshot(snapshot)} ${contentOf(snapshot)}`];
  if (writer?.wrote === undefined) return [violation('a state was seen that nobody wrote', seen)];
  const evidence = [...seen, describeOperation(writer)];
  if (writer.outcome === 'refused') return [violation('a refused write was seen', evidence)];
  const isWhole = writer.object === snapshot.object && contentOf(writer.wrote) === contentOf(snapshot);
  if (!isWhole) return [violation('what was seen is not what was written', evidence)];
  const known = truth.states.get(snapshot.token)?.snapshot;
  if (known === undefined) return [];
  const other = [...evidence, `seen elsewhere: ${describeSnapshot(known)} uid ${known.uid}`];
  if (known.uid !== snapshot.uid) return [violation('one write was seen with two uids', other)];
  if (as === 'state' ? known.rv === snapshot.rv : known.rv <= snapshot.rv) return [];
  return [violation('one write was seen at two resourceVersions', other)];
}

type Written = ReadonlyMap<string, Run['history']['operations'][number]>;

/** A change without an acknowledged write needs an operation that may have made it. */
function checkOrigin(
  { history, truth }: Run,
  { object, after, by, rv }: Truth['changes'][number],
): Violation[] {
  if (after !== undefined || by !== undefined) return [];
  const isPossible =
    truth.unseen.has(object) ||
    history.operations.some(
      (one) => one.kind === 'delete' && one.object === object && one.outcome !== 'refused',
    );
  return isPossible
    ? []
    : [violation(`${object} left @${rv}, and nobody had it deleted or changed then`, [])];
}

function checkEvents(run: Run, spell: Spell): Violation[] {
  const { asked, events, from } = spell;
  if (asked === undefined) return [];
  const certain = run.transitions(asked).filter(({ since, rv }) => since === rv);
  const transitions = new Map(certain.map((transition) => [transition.rv, transition]));
  return events.flatMap((event) => {
    const transition = transitions.get(event.object.rv);
    if (isTransition(event, transition)) return [];
    if (isExcused(run.truth, event, { transition, from })) return [];
    const evidence = [
      describeEvent(event),
      `the change @${event.object.rv}: ${describeTransition(transition)}`,
    ];
    return [violation(`${spell.name} was told something else than what happened`, evidence)];
  });
}

/** An unseen write may be the state before this change. Then the last state, or whether it matched, is uncertain. */
function isExcused(
  { unseen }: Truth,
  { type, object }: ChangeEvent,
  { transition, from }: { readonly transition: Transition | undefined; readonly from: number },
): boolean {
  const writes = unseen.get(object.object);
  if (writes === undefined) return false;
  if (type === 'DELETED') return writes.some(({ wrote }) => wrote?.token === object.token);
  const isUnsure = (transition?.change.before?.rv ?? 0) <= from;
  return isUnsure && transition?.type !== 'DELETED' && transition?.object.token === object.token;
}

function isTransition({ type, object }: ChangeEvent, transition: Transition | undefined): boolean {
  return (
    transition !== undefined &&
    type === transition.type &&
    object.object === transition.object.object &&
    object.token === transition.object.token
  );
}

/**
 * The changes of each edit that ended. Standard queues are left out, because the difference of an edit looks like
 * changes there.
 */
function edited({ name, fifo, edits, messages }: QueuedSpell): Spell[] {
  if (!fifo) return [];
  return edits.map(({ edit, rv, asked }) => ({
    name: `${name}, edit ${edit}`,
    asked,
    from: rv,
    to: rv,
    events: messages
      .filter((message) => message.edit === edit && message.position === undefined)
      .map(({ event }) => event)
      .filter(isChange),
  }));
}

function contentOf({ labels, phase }: Pick<Snapshot, 'labels' | 'phase'>): string {
  return JSON.stringify([Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : 1)), phase]);
}

function describeTransition(transition: Transition | undefined): string {
  if (transition === undefined) return 'nothing to tell of';
  const { type, object } = transition;
  return `${type} ${describeSnapshot(object)} in ${namespaceOf(object.object)}`;
}

function violation(message: string, evidence: readonly string[]): Violation {
  return { check: 'atomic', message, evidence };
}
