import { type Connection, Fault } from '../connection/index.ts';
import type { ReceivedEvent } from '../queue.ts';
import type { Examination } from './examination.ts';

/** The selector of a set: {@link followChanges} moves the object of that name into the set and out of it. */
export const selectorOf = (name: string) => `follow=${name}`;

/** A change of one object, and the event that a watch or a queue must receive for it. */
export interface Change {
  readonly what: string;
  readonly event?: 'ADDED' | 'MODIFIED' | 'DELETED';
  send(connection: Connection, collection: string, name: string): Promise<unknown>;
}

const label =
  (value?: string): Change['send'] =>
  (connection, collection, name) =>
    connection.merge(`${collection}/${name}`, { metadata: { labels: { follow: value ?? name } } });

const touch =
  (data: string): Change['send'] =>
  (connection, collection, name) =>
    connection.merge(`${collection}/${name}`, { data: { at: data } });

const CHANGES: readonly Change[] = [
  {
    what: 'an object was created outside the set',
    send: (connection, collection, name) =>
      connection.ask('POST', collection, {
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { follow: 'nothing' } } },
      }),
  },
  { what: 'an object entered the set', event: 'ADDED', send: label() },
  { what: 'an object changed in the set', event: 'MODIFIED', send: touch('1') },
  { what: 'an object left the set', event: 'DELETED', send: label('nothing') },
  { what: 'an object changed outside the set', send: touch('2') },
  { what: 'an object came back into the set', event: 'ADDED', send: label() },
  {
    what: 'an object in the set was deleted',
    event: 'DELETED',
    send: (connection, collection, name) => connection.ask('DELETE', `${collection}/${name}`),
  },
];

export interface FollowOptions {
  /** The name of the object; no other step uses it. */
  readonly name: string;
  /** Returns the next event; rejects with a Fault if none arrives. */
  receive(change: Change): Promise<ReceivedEvent>;
}

export interface Followed {
  readonly events: number;
  /** The longest time from the answer to a change until its event, in seconds. */
  readonly slowest: number;
}

/** Moves an object into, within and out of a set, and compares the events. Throws a Fault if they differ. */
export async function followChanges(
  { connection, objectsPath }: Examination,
  { name, receive }: FollowOptions,
): Promise<Followed> {
  let [events, slowest, newest] = [0, 0, 0];
  for (const change of CHANGES) {
    await change.send(connection, objectsPath, name);
    if (change.event === undefined) continue;
    const began = performance.now();
    let event: ReceivedEvent;
    // Delivery is at least once: skip events that are not newer than the last one.
    do event = await receive(change);
    while (versionOf(event) <= newest);
    const told = `${event.type} ${event.object?.metadata?.name}`;
    if (told !== `${change.event} ${name}`) throw wrongEvent(change, name, told);
    newest = versionOf(event);
    events += 1;
    slowest = Math.max(slowest, (performance.now() - began) / 1_000);
  }
  return { events, slowest };
}

/** An event without a resourceVersion, such as an error, counts as newer than all others. */
function versionOf({ object }: ReceivedEvent): number {
  return Number(object?.metadata?.resourceVersion ?? Number.POSITIVE_INFINITY);
}

function wrongEvent({ what, event }: Change, name: string, told: string): Fault {
  return new Fault({
    what: `${what}: expected ${event} ${name}, but the consumer received ${told}`,
    advice:
      'Does a proxy in front of the endpoint change answers? If not, this is a bug in Winnow: report it',
  });
}
