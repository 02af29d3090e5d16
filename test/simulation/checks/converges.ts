import type { Asked, History, Snapshot, SubscriptionRecord, WatchedEvent, WatchRecord } from '../history.ts';
import { describeAsked, describeSnapshot } from './describe.ts';
import { folded } from './folded.ts';
import { selectorOf } from './naive-selector.ts';
import type { Run } from './run.ts';
import type { QueuedSpell } from './spells.ts';
import { stateAt } from './truth.ts';
import type { Violation } from './violation.ts';

type Objects = ReadonlyMap<string, Snapshot>;

/**
 * Guarantee "converges": when all is quiet, a client that listed and then watched knows the true set. So does a
 * consumer that keeps the newest event of each object. What they know is what was delivered to them.
 */
export function checkConverges(run: Run): Violation[] {
  const { watches, subscriptions } = run.history;
  return [
    ...watches.flatMap((record) => checkWatch(run, record)),
    ...subscriptions.flatMap((record, index) => checkQueue(run.history, record, run.queues[index]?.at(-1))),
  ];
}

function checkWatch(run: Run, record: WatchRecord): Violation[] {
  const { client, asked, cache, spells, isGivenUp = false } = record;
  if (spells.length === 0 || isGivenUp) return [];
  const truth = trueSet(run.history, asked);
  const told = toldTo(run, record);
  return [
    ...differences(`${client}'s cache of ${describeAsked(asked)}`, { found: byName(cache), truth }),
    ...(told
      ? differences(`what ${client} was told of ${describeAsked(asked)}`, { found: told, truth })
      : []),
  ];
}

/**
 * The last list with all events since. Undefined if the list was not recorded and the set at its resourceVersion is
 * not certain.
 */
function toldTo(run: Run, { client, asked, spells }: WatchRecord): Objects | undefined {
  const begins = spells.findLastIndex((spell) => spell.begins === 'list');
  const from = spells[begins]?.from;
  if (from === undefined) return undefined;
  const key = describeAsked(asked);
  const list = run.history.listings.find(
    (one) => one.client === client && one.rv === from && describeAsked(one.asked) === key,
  );
  const listed = list === undefined ? setAt(run, asked, from) : byName(list.items);
  return (
    listed &&
    watched(
      listed,
      spells.slice(begins).flatMap(({ events }) => events),
    )
  );
}

function setAt({ truth }: Run, asked: Asked, rv: number): Objects | undefined {
  if (truth.unseen.size > 0) return undefined;
  const selects = selectorOf(asked);
  const states = [...truth.chains.keys()].map((object) => stateAt(truth, object, rv));
  if (states.some(({ doubtful }) => doubtful)) return undefined;
  return byName(states.flatMap(({ state }) => (state !== undefined && selects(state) ? [state] : [])));
}

function checkQueue(
  history: History,
  record: SubscriptionRecord,
  spell: QueuedSpell | undefined,
): Violation[] {
  const { name, cache, disturbed } = record;
  if (spell?.asked === undefined || !spell.isLast || cache === undefined) return [];
  // This check does not verify that the Subscription follows the right namespaces.
  const truth = trueSet(history, record.followed === undefined ? spell.asked : record.asked);
  const since = spell.edits.some(({ isSnapshot }) => isSnapshot) ? 0 : spell.from;
  // A new Standard queue does not repeat the messages that were read from the queue that it replaces.
  const isTold = spell.fifo || disturbed.length === 0;
  const told = folded(spell.messages);
  return [
    ...differences(`${name}'s cache`, { found: byName(cache), truth, since }),
    ...(isTold ? differences(`what ${name} was told`, { found: told, truth, since }) : []),
  ];
}

/** Applies events as an informer does: the newest event of each object wins, and an ERROR forgets all. */
function watched(listed: Objects, events: readonly WatchedEvent[]): Objects {
  const objects = new Map(listed);
  const versions = new Map([...listed.values()].map(({ object, rv }) => [object, rv]));
  for (const event of events) {
    if (event.type === 'ERROR') {
      objects.clear();
      versions.clear();
    }
    if (event.type === 'ERROR' || event.type === 'BOOKMARK') continue;
    const { object, rv } = event.object;
    if (rv < (versions.get(object) ?? 0)) continue;
    versions.set(object, rv);
    if (event.type === 'DELETED') {
      objects.delete(object);
    } else {
      objects.set(object, event.object);
    }
  }
  return objects;
}

interface Compared {
  readonly found: Objects;
  readonly truth: Objects;
  /** The consumer need not know objects that have not changed since this resourceVersion. */
  readonly since?: number;
}

function differences(what: string, { found, truth, since = 0 }: Compared): Violation[] {
  const names = new Set([...found.keys(), ...truth.keys()]);
  return [...names].flatMap((object) => {
    const [is, expected] = [found.get(object), truth.get(object)];
    if (is?.rv === expected?.rv && is?.token === expected?.token) return [];
    if (is === undefined && (expected?.rv ?? 0) <= since) return [];
    const tell = (state: Snapshot | undefined) => (state === undefined ? 'nothing' : describeSnapshot(state));
    const evidence = [`it has ${tell(is)}`, `it should have ${tell(expected)}`];
    return [{ check: 'converges', message: `${what} is not the true set in the end: ${object}`, evidence }];
  });
}

function trueSet({ final }: History, asked: Asked): Objects {
  return byName(final.filter(selectorOf(asked)));
}

function byName(snapshots: readonly Snapshot[]): Objects {
  return new Map(snapshots.map((snapshot) => [snapshot.object, snapshot]));
}
