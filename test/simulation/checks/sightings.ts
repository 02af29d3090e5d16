import type { History, Operation, ReceivedMessage, Snapshot, WatchedEvent } from '../history.ts';
import { positionIn } from './spells.ts';

/** One observation of one object. */
export interface Sighting {
  readonly by: string;
  readonly snapshot: Snapshot;
  /**
   * `state`: the object had this state. `left`: it had this state until the change at the snapshot's resourceVersion.
   */
  readonly as: 'state' | 'left';
  /** The virtual ms by which the observed write had taken effect. */
  readonly at: number;
}

/** All observations of objects in a history, the writers' own answers first. */
export function sightingsOf(history: History): Sighting[] {
  const { operations, listings, watches, subscriptions, final } = history;
  const writes = operations.filter(({ kind }) => kind !== 'get');
  const reads = operations.filter(({ kind }) => kind === 'get');
  const end = (by: string) => states(by, Number.POSITIVE_INFINITY);
  return [
    ...writes.flatMap(answerOf),
    ...reads.flatMap(answerOf),
    ...listings.flatMap((list) => list.items.map(states(`${list.client}'s list @${list.rv}`, list.returned))),
    ...watches.flatMap(({ client, spells, cache }) => [
      ...spells.flatMap(({ events }) => events.flatMap((event) => eventOf(`${client}'s watch`, event))),
      ...cache.map(end(`${client}'s cache`)),
    ]),
    ...subscriptions.flatMap(({ name, messages, cache = [] }) => [
      ...messages
        .filter((message) => !leftByAnEdit(message))
        .flatMap(({ event }) => eventOf(`${name}'s queue`, event)),
      ...cache.map(end(`${name}'s cache`)),
    ]),
    ...final.map(end('the table')),
  ];
}

/**
 * Whether a DELETED means only that the subscription's request changed, not the object. Messages of a Standard queue
 * do not say so, so all after its first edit count.
 */
function leftByAnEdit({ event, edit, deduplication }: ReceivedMessage): boolean {
  if (event.type !== 'DELETED') return false;
  return deduplication === undefined ? edit > 1 : positionIn(deduplication) !== undefined;
}

function answerOf({ client, kind, outcome, answer, returned }: Operation): Sighting[] {
  if (outcome !== 'ok' || answer === undefined) return [];
  const as = kind === 'delete' ? 'left' : 'state';
  const at = returned ?? Number.POSITIVE_INFINITY;
  return [{ by: `${client}'s ${kind}`, snapshot: answer, as, at }];
}

function eventOf(by: string, event: WatchedEvent): Sighting[] {
  if (event.type === 'BOOKMARK' || event.type === 'ERROR') return [];
  const as = event.type === 'DELETED' ? 'left' : 'state';
  return [{ by: `${by} (${event.type})`, snapshot: event.object, as, at: event.at }];
}

function states(by: string, at: number): (snapshot: Snapshot) => Sighting {
  return (snapshot) => ({ by, snapshot, as: 'state', at });
}
