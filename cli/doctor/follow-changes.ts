import { type Connection, Fault } from '../connection/index.ts';
import type { ReceivedEvent } from '../queue.ts';
import type { Examination } from './examination.ts';

/** An object of that name is followed by this selector. */
export const selectorOf = (name: string) => `follow=${name}`;

/** A change of one object, and the event that it must cause among those who follow it. */
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
    what: 'an object was made outside the set',
    send: (connection, collection, name) =>
      connection.ask('POST', collection, {
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { follow: 'nobody' } } },
      }),
  },
  { what: 'an object entered the set', event: 'ADDED', send: label() },
  { what: 'an object changed in the set', event: 'MODIFIED', send: touch('1') },
  { what: 'an object left the set', event: 'DELETED', send: label('nobody') },
  { what: 'an object changed outside the set', send: touch('2') },
  { what: 'an object came back into the set', event: 'ADDED', send: label() },
  {
    what: 'an object in the set was deleted',
    event: 'DELETED',
    send: (connection, collection, name) => connection.ask('DELETE', `${collection}/${name}`),
  },
];

export interface FollowOptions {
  /** Of the object; nobody else has it. */
  readonly name: string;
  /** The next event; rejects with a Fault when none comes. */
  receive(change: Change): Promise<ReceivedEvent>;
}

export interface Followed {
  readonly events: number;
  /** The longest time from a change's answer to its event, in seconds. */
  readonly slowest: number;
}

/** Changes an object in every way, and compares what is told of it. Throws a Fault where that differs. */
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
    // At least once: what is not newer was told before.
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

/** Of an event without one, such as an error, it is beyond all others. */
function versionOf({ object }: ReceivedEvent): number {
  return Number(object?.metadata?.resourceVersion ?? Number.POSITIVE_INFINITY);
}

function wrongEvent({ what, event }: Change, name: string, told: string): Fault {
  return new Fault({
    what: `${what}, and ${told} was told instead of ${event} ${name}`,
    advice:
      'Does something in front of the endpoint change answers? If not, this is a bug of Winnow: report it',
  });
}
