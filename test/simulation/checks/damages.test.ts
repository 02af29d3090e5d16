import { describe, expect, test } from '@jest/globals';
import type { ReceivedMessage, WatchedEvent } from '../history.ts';
import { at, type Damageable, damaged } from './fixtures/damage.ts';
import { GOOD } from './fixtures/good-history.ts';
import { check } from './index.ts';

type Copy = Damageable<typeof GOOD>;
type Damage = readonly [name: string, damage: (copy: Copy) => void];

const events = (copy: Copy, watch: number, spell: number) => at(at(copy.watches, watch).spells, spell).events;
const messages = (copy: Copy, queue: number) => at(copy.subscriptions, queue).messages;
const swap = (items: unknown[], place: number) => items.splice(place, 2, items[place + 1], items[place]);

function objectOf(event: Damageable<WatchedEvent>) {
  if (!('object' in event)) throw new Error(`a ${event.type} has no object`);
  return event.object;
}

const messageObject = (message: Damageable<ReceivedMessage>) => objectOf(message.event);

/** Repeats the last message of the first queue about an object, with the resourceVersion before it. */
function fallOfObject(copy: Copy): void {
  const record = at(copy.subscriptions, 0);
  Object.assign(record, { byObject: true });
  const last = at(record.messages, record.messages.length - 1);
  const again = structuredClone(last);
  messageObject(again).rv -= 1;
  record.messages.push({ ...again, messageId: 'again' });
}

function renumber(copy: Copy, by: number): void {
  for (const message of messages(copy, 2)) {
    if (message.sequence !== undefined) message.sequence += by;
  }
}

const gone = (time: number): WatchedEvent => ({ at: time, type: 'ERROR', reason: 'gone' });

/** Damages, by the check that has to find them. */
const DAMAGES: Readonly<Record<string, readonly Damage[]>> = {
  versions: [
    ['a resourceVersion that two writes were answered with', (copy) => setAnswerVersion(copy, 4, 5)],
    ['a resourceVersion above the head', (copy) => Object.assign(copy, { finalHead: 8 })],
    ['a deletion and a new object between which no resourceVersion is left', (copy) => hideDeletion(copy)],
  ],
  'real-time': [
    [
      'a later write with a lower resourceVersion',
      (copy) => Object.assign(at(copy.operations, 4), { invoked: 90, returned: 92 }),
    ],
    [
      'a list that is older than what was acknowledged',
      (copy) => Object.assign(at(copy.listings, 0), { invoked: 50, returned: 51 }),
    ],
    [
      'an event before its write was requested',
      (copy) => Object.assign(at(events(copy, 1, 0), 0), { at: 2 }),
    ],
    [
      'a list with what was written after it',
      (copy) => Object.assign(at(copy.listings, 2), { invoked: 76, returned: 77 }),
    ],
  ],
  acknowledged: [
    ['an acknowledged write that is lost', (copy) => copy.final.splice(0, 1)],
    [
      'an object that is back in an older state',
      (copy) => copy.final.splice(0, 1, at(copy.listings[0]?.items, 0)),
    ],
    ['a deleted object that is back', (copy) => undoDeletion(copy)],
    ['an object that is there twice', (copy) => copy.final.push(at(copy.final, 0))],
  ],
  linearizable: [
    [
      'a get of what had been overwritten',
      (copy) => Object.assign(at(copy.operations, 10), { answer: at(copy.listings[0]?.items, 0) }),
    ],
    [
      'an update although its precondition did not hold',
      (copy) => Object.assign(at(copy.operations, 2), { expected: 3 }),
    ],
    [
      'a conflict although the precondition held',
      (copy) => Object.assign(at(copy.operations, 8), { expected: 8 }),
    ],
    ['a create of what was there', (copy) => Object.assign(at(copy.operations, 3), { kind: 'create' })],
    [
      'a refusal because of what was not there',
      (copy) => Object.assign(at(copy.operations, 9), { invoked: -9, returned: -1 }),
    ],
    [
      'an absence of what was there',
      (copy) => Object.assign(at(copy.operations, 11), { invoked: 50, returned: 55 }),
    ],
    ['an update of what was deleted', (copy) => Object.assign(at(copy.operations, 6), { kind: 'update' })],
    ['a list that lacks what was acknowledged', (copy) => at(copy.listings, 2).items.pop()],
  ],
  'exact-list': [
    ['a stale item', (copy) => at(copy.listings, 2).items.splice(0, 1, at(copy.listings[0]?.items, 0))],
    ['a missing item', (copy) => at(copy.listings, 0).items.pop()],
    ['an item that never matched', (copy) => at(copy.listings, 0).items.push(at(copy.final, 2))],
    ['an item of another namespace', (copy) => at(copy.listings, 2).items.push(at(copy.final, 2))],
    ['an item twice', (copy) => at(copy.listings, 0).items.push(at(copy.listings[0]?.items, 1))],
    ['a swapped pair', (copy) => swap(at(copy.listings, 0).items, 0)],
    ['a deleted item', (copy) => at(copy.listings, 2).items.splice(1, 1, at(copy.listings[0]?.items, 1))],
    ['another resourceVersion than was asked for', (copy) => Object.assign(at(copy.listings, 1), { at: 4 })],
  ],
  atomic: [
    [
      'an ADDED that should be MODIFIED',
      (copy) => Object.assign(at(events(copy, 1, 0), 1), { type: 'ADDED' }),
    ],
    [
      'a MODIFIED that should be ADDED',
      (copy) => Object.assign(at(events(copy, 0, 1), 0), { type: 'MODIFIED' }),
    ],
    [
      'a DELETED with the state that left the selector',
      (copy) => Object.assign(objectOf(at(events(copy, 0, 0), 0)), at(copy.final, 0)),
    ],
    [
      'labels of one write with the phase of another',
      (copy) => Object.assign(at(copy.listings[0]?.items, 0), { phase: 'Pending' }),
    ],
    [
      'a uid that is not the object’s',
      (copy) => Object.assign(at(copy.watches[0]?.cache, 0), { uid: 'other' }),
    ],
    ['a state that nobody wrote', (copy) => Object.assign(at(copy.final, 0), { token: 'invented' })],
    ['a state that was refused', (copy) => Object.assign(at(copy.watches[1]?.cache, 0), { token: 'a4' })],
    ['one write at two resourceVersions', (copy) => Object.assign(at(copy.watches[1]?.cache, 0), { rv: 7 })],
    ['an event of what never matched', (copy) => events(copy, 0, 1).push(at(events(copy, 1, 0), 0))],
    ['a deletion that nobody asked for', (copy) => inventDeletion(copy)],
    [
      'a change under an edit that was none',
      (copy) => Object.assign(at(messages(copy, 2), 3).event, { type: 'MODIFIED' }),
    ],
    [
      'an ADDED that should be DELETED in a queue',
      (copy) => Object.assign(at(messages(copy, 1), 1).event, { type: 'ADDED' }),
    ],
  ],
  'exact-edit': [
    [
      'an edit that adds what stays',
      (copy) => Object.assign(at(messages(copy, 2), 4), ofEdit2(tellOf(copy, 4, 'ADDED'), 8)),
    ],
    [
      'an edit that deletes what does not leave',
      (copy) => Object.assign(at(messages(copy, 2), 5), ofEdit2(tellOf(copy, 5, 'DELETED'), 8)),
    ],
    [
      'a snapshot that changes',
      (copy) => Object.assign(at(messages(copy, 0), 0).event, { type: 'MODIFIED' }),
    ],
    [
      'an edit that adds what is not there any more',
      (copy) => Object.assign(messageObject(at(messages(copy, 2), 5)), at(copy.listings[0]?.items, 1)),
    ],
  ],
  silent: [
    [
      'a message of a suspended subscription',
      (copy) => {
        Object.assign(at(copy.subscriptions, 0), { suspended: [{ from: 10_000, to: 20_000 }] });
        Object.assign(at(messages(copy, 0), 0), { sentAt: 15_000 });
      },
    ],
  ],
  proven: [
    ['a number that is missing', (copy) => Object.assign(at(messages(copy, 2), 7), { sequence: 7 })],
    ['a number that two changes have', (copy) => Object.assign(at(messages(copy, 2), 5), { sequence: 4 })],
    ['a number that does not begin with 1', (copy) => renumber(copy, 1)],
    ['a change without a number', (copy) => Object.assign(at(messages(copy, 2), 7), { sequence: undefined })],
    ['another set', (copy) => Object.assign(at(messages(copy, 2), 3), { set: at(messages(copy, 2), 4).set })],
    [
      'a set of more than was known in the beginning',
      (copy) =>
        Object.assign(at(copy.subscriptions, 2), { start: 'now', verified: [at(copy.final, 2)], asks: [{}] }),
    ],
    ['another set than is known in the end', (copy) => at(copy.subscriptions, 2).cache?.pop()],
    [
      'a repetition with another number',
      (copy) =>
        messages(copy, 2).push({
          ...at(messages(copy, 2), 7),
          messageId: 'again',
          sequence: 7,
          deduplication: 's3/1/1/9',
        }),
    ],
  ],
  ordered: [
    ['a fall in a queue that is ordered by object', (copy) => fallOfObject(copy)],
    ['a swapped pair in a watch', (copy) => swap(events(copy, 1, 0), 1)],
    ['a bookmark below an event', (copy) => Object.assign(at(events(copy, 1, 0), 3), { rv: 2 })],
    ['a swapped pair in a queue', (copy) => swap(messages(copy, 0), 3)],
    ['a swapped pair in an attempt', (copy) => swap(messages(copy, 0), 5)],
    [
      'an earlier attempt behind a later one',
      (copy) =>
        messages(copy, 0).push(at(messages(copy, 0), 3), { ...at(messages(copy, 0), 4), messageId: 'late' }),
    ],
    ['a message of an earlier start', (copy) => startAnew(copy)],
    ['a change before the end of its snapshot', (copy) => swap(messages(copy, 0), 2)],
  ],
  unique: [
    ['an event twice', (copy) => events(copy, 1, 0).splice(1, 0, at(events(copy, 1, 0), 1))],
    [
      'a message twice in one attempt',
      (copy) => messages(copy, 0).push({ ...at(messages(copy, 0), 8), messageId: 'again' }),
    ],
  ],
  reliable: [
    ['an event that is lost', (copy) => events(copy, 1, 0).splice(2, 1)],
    ['a DELETED that is lost', (copy) => events(copy, 0, 0).splice(0, 1)],
    ['a message that is lost', (copy) => messages(copy, 0).splice(3, 1)],
    ['a message of a Standard queue that is lost', (copy) => messages(copy, 1).splice(1, 1)],
    ['all messages', (copy) => messages(copy, 1).splice(0)],
  ],
  resumable: [
    ['a change that is lost between two spells', (copy) => events(copy, 0, 1).splice(0, 1)],
    [
      'a change that is repeated after a resume',
      (copy) => events(copy, 0, 1).unshift(at(events(copy, 0, 0), 1)),
    ],
    [
      'a resume from what was never told',
      (copy) => Object.assign(at(at(copy.watches, 0).spells, 1), { from: 8 }),
    ],
    ['a resume after an ERROR', (copy) => events(copy, 0, 0).push(gone(80))],
    ['a rewind that comes too late', (copy) => messages(copy, 0).splice(5, 1)],
    [
      'a rewind that comes too late, where SQS took a batch in part',
      (copy) => {
        Object.assign(at(copy.subscriptions, 0), { bent: true });
        messages(copy, 0).splice(5, 1);
      },
    ],
    ['a fresh start without an ERROR', (copy) => restart(copy)],
  ],
  bookmarkable: [
    ['a bookmark that is too early', (copy) => Object.assign(at(events(copy, 1, 0), 3), { rv: 6 })],
    ['a bookmark that covers a loss', (copy) => events(copy, 0, 0).splice(1, 1)],
    ['an object that the snapshot lacks', (copy) => messages(copy, 0).splice(1, 1)],
    ['a snapshot’s bookmark that is too early', (copy) => swap(messages(copy, 0), 1)],
    ['a snapshot that never ends', (copy) => messages(copy, 0).splice(2, 1)],
    ['an edit that never ends', (copy) => messages(copy, 2).splice(6, 1)],
    ['an edit that leaves what it should take', (copy) => messages(copy, 2).splice(4, 1)],
    ['an edit that lacks what it should bring', (copy) => messages(copy, 2).splice(5, 1)],
    [
      'two snapshots in one start',
      (copy) =>
        messages(copy, 0).push({
          event: { at: 140, type: 'BOOKMARK', rv: 9 },
          messageId: 'second',
          deduplication: 's1/1/1/bookmark.1',
          edit: 1,
        }),
    ],
  ],
  converges: [
    ['a cache that lacks an object', (copy) => at(copy.watches, 0).cache.pop()],
    [
      'a cache that holds a deleted object',
      (copy) => at(copy.watches, 1).cache.push(at(copy.listings[0]?.items, 1)),
    ],
    ['a stale cache', (copy) => at(copy.watches, 1).cache.splice(0, 1, at(copy.listings[0]?.items, 0))],
    ['a last event that never came', (copy) => events(copy, 1, 0).pop()],
    ['a consumer that lacks an object', (copy) => at(copy.subscriptions, 0).cache?.pop()],
    [
      'a consumer that holds what does not match',
      (copy) => at(copy.subscriptions, 1).cache?.push(at(copy.final, 0)),
    ],
  ],
  deduplicated: [
    [
      'one id for two messages',
      (copy) => Object.assign(at(messages(copy, 0), 4), { deduplication: 's1/1/0/6' }),
    ],
    ['no id', (copy) => Object.assign(at(messages(copy, 0), 4), { deduplication: undefined })],
    [
      'another subscription’s id',
      (copy) => Object.assign(at(messages(copy, 0), 4), { deduplication: 's9/1/0/8' }),
    ],
  ],
};

function tellOf(copy: Copy, place: number, type: 'ADDED' | 'DELETED'): WatchedEvent {
  return { at: 96, type, object: messageObject(at(messages(copy, 2), place)) };
}

function ofEdit2(event: WatchedEvent, position: number) {
  return { event, edit: 2, deduplication: `s3/1/0/2.${position}.other` };
}

function setAnswerVersion(copy: Copy, place: number, rv: number): void {
  Object.assign(at(copy.operations, place).answer ?? {}, { rv });
}

/**
 * The deletion at 7 is acknowledged without its resourceVersion, and no resourceVersion is left between the old object
 * and the new one.
 */
function hideDeletion(copy: Copy): void {
  Object.assign(copy, { watches: [], subscriptions: [], listings: [] });
  Object.assign(at(copy.operations, 5), { answer: undefined });
  setAnswerVersion(copy, 6, 6);
  setAnswerVersion(copy, 4, 7);
}

/** The second object is never created, and the first still exists at the end. */
function undoDeletion(copy: Copy): void {
  copy.operations.splice(6, 1);
  copy.final.splice(1, 1, at(copy.listings[0]?.items, 1));
  for (const reader of [...copy.watches, ...copy.subscriptions]) reader.cache?.splice(0);
  Object.assign(copy, { watches: [], subscriptions: [] });
  copy.listings.splice(2, 1);
}

function inventDeletion(copy: Copy): void {
  const object = { ...at(copy.final, 2), rv: 10 };
  at(copy.watches, 0).cache.pop();
  copy.final.pop();
  events(copy, 0, 1).splice(2, 0, { at: 135, type: 'DELETED', object });
}

/** The queue starts again, and then delivers a message of the earlier start. */
function startAnew(copy: Copy): void {
  restart(copy);
  const late = { ...at(messages(copy, 0), 3), messageId: 'late', deduplication: 's1/1/2/6' };
  messages(copy, 0).push(late);
}

/** Repeats the same queue from its beginning, as after a restart. */
function restart(copy: Copy): void {
  const again = messages(copy, 0).map((message) => ({
    ...message,
    messageId: `again ${message.messageId}`,
    deduplication: message.deduplication?.replace('s1/1', 's1/2'),
  }));
  messages(copy, 0).push(...again);
}

test('A good history violates nothing', () => {
  expect(check(GOOD)).toEqual([]);
});

/** Changes of a history that look like damage, although no guarantee forbids them. */
const ALLOWED: readonly Damage[] = [
  [
    'ten messages out of order where SQS took them in part from a sender that died of it',
    (copy) => {
      Object.assign(at(copy.subscriptions, 0), { bent: true });
      swap(messages(copy, 0), 3);
    },
  ],
  [
    'the first of a rewind behind others of its batch, which SQS took in part from a sender that died of it',
    (copy) => {
      Object.assign(at(copy.subscriptions, 0), { bent: true });
      swap(messages(copy, 0), 5);
    },
  ],
  [
    'changes once more from a dispatcher that nobody stopped',
    (copy) => {
      Object.assign(at(copy.subscriptions, 0), { outlived: true });
      messages(copy, 0).push({ ...at(messages(copy, 0), 5), messageId: 'late', deduplication: 's1/1/0/7' });
    },
  ],
  [
    'a message sent again after SQS forgot its deduplication id',
    (copy) => {
      const last = at(messages(copy, 0), 8);
      messages(copy, 0).push({ ...last, event: { ...last.event, at: 400_000 }, messageId: 'again' });
    },
  ],
  [
    'an ERROR of a Standard queue behind its snapshot, and what was sent before behind both',
    (copy) => {
      const anew = [at(messages(copy, 1), 0).event, at(messages(copy, 1), 2).event];
      const events = [...anew, { at: 140, type: 'BOOKMARK', rv: 10 } as const, gone(140)];
      const late = at(messages(copy, 1), 1);
      messages(copy, 1).splice(0, 3);
      for (const event of events) {
        messages(copy, 1).push({
          event,
          edit: 2,
          deduplication: undefined,
          messageId: `${event.type} again`,
        });
      }
      messages(copy, 1).push({ ...at(messages(copy, 1), 0), messageId: 'C', event: at(anew, 1) });
      messages(copy, 1).push(late);
    },
  ],
  [
    'an update by a client that died, if nobody can have seen it',
    (copy) => {
      const update = at(copy.operations, 4);
      const wrote = { labels: { app: 'z' }, phase: 'Pending', token: 'unseen' };
      copy.operations.push({ ...update, wrote, outcome: 'unknown', answer: undefined, returned: undefined });
    },
  ],
];

test.each(ALLOWED)('The checks allow: %s', (_, change) => {
  expect(check(damaged(GOOD, change))).toEqual([]);
});

describe.each(Object.entries(DAMAGES))('The check “%s”', (name, damages) => {
  test.each(damages)('The check finds %s', (_, damage) => {
    const violations = check(damaged(GOOD, damage));
    expect(violations.map((violation) => violation.check)).toContain(name);
  });
});
