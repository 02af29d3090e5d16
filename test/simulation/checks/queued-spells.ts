import type { Asked, History, ReceivedMessage, SubscriptionRecord } from '../history.ts';
import {
  type ChangeEvent,
  type EndedEdit,
  isChange,
  positionIn,
  type QueuedSpell,
  type SpellMessage,
} from './spells.ts';

/** The size of an SQS batch. At the end of a spell, at most this many messages may follow a gap. */
export const BATCH = 10;

/**
 * The deliveries of a subscription's queue, from one start to the next. Deduplication ids tell the starts of a FIFO
 * queue apart. A Standard queue keeps no order, so all its deliveries are one spell.
 */
export function queuedSpells(record: SubscriptionRecord, history: History): QueuedSpell[] {
  const messages = messagesOf(record);
  const separate = record.queueType === 'FIFO' && messages.length > 0;
  const starts = separate ? [...Map.groupBy(messages, ({ start }) => start).values()] : [messages];
  return starts.map((own, index) =>
    spellOf(record, history, { own, index, isLast: index === starts.length - 1 }),
  );
}

interface Part {
  readonly own: readonly SpellMessage[];
  readonly index: number;
  readonly isLast: boolean;
}

function spellOf(record: SubscriptionRecord, { finalHead }: History, part: Part): QueuedSpell {
  const { name, queueType, cache, acknowledgedAt, disturbed, bent = false, outlived = false } = record;
  const { own, index } = part;
  const fifo = queueType === 'FIFO';
  const isLast = part.isLast && cache !== undefined && acknowledgedAt !== undefined;
  const edits = endedEdits(record, own);
  const ended = edits.at(-1);
  const begun = own.map(({ edit }) => edit);
  const isUnended = Math.max(0, ...begun) > (ended?.edit ?? Math.min(...begun));
  const isCutShort = isUnended || (ended === undefined && beganWithSnapshot(record, { ...part, isLast }));
  const live = own.filter(({ edit }) => !isCutShort && edit === (ended?.edit ?? edit));
  const events = live
    .map(({ event }) => event)
    .filter(isChange)
    .filter(({ object }) => object.rv > (ended?.rv ?? 0));
  const from = ended?.rv ?? liveFrom(record, events);
  return {
    name: `${name}'s ${queueType} queue, spell ${index + 1}`,
    asked: isCutShort ? undefined : (ended ?? { asked: askedOnce(record, own, isLast) }).asked,
    from,
    to: isLast ? finalHead : completeUpTo(events, from, fifo),
    events,
    fifo,
    isLast,
    edits,
    isCutShort,
    bent: bent || outlived,
    outlived,
    mustForget: index > 0 && disturbed.length === 0,
    messages: own,
  };
}

/**
 * The ended edits, from the bookmarks. Of two bookmarks of one edit, which FIFO queues do not have, the later counts.
 */
function endedEdits(record: SubscriptionRecord, own: readonly SpellMessage[]): EndedEdit[] {
  const { asks } = record;
  const ended = own.flatMap(({ event, edit }): EndedEdit[] => {
    if (event.type !== 'BOOKMARK') return [];
    const asked = askedIn(record, edit, asks[(event.generation ?? 1) - 1]);
    return [{ edit, rv: event.rv, isSnapshot: event.ends !== 'edit', asked }];
  });
  const each = [...Map.groupBy(ended, ({ edit }) => edit).values()];
  return each.map((all) => all.reduce(later)).sort((left, right) => left.edit - right.edit);
}

const later = (left: EndedEdit, right: EndedEdit) => (right.rv > left.rv ? right : left);

/**
 * Whether a start began with a snapshot. A start after the first does, unless the first had no queue yet. For a start
 * that was itself cut off this cannot be known.
 */
function beganWithSnapshot({ start }: SubscriptionRecord, { own, index, isLast }: Part): boolean {
  const [first] = own;
  const isLater = index > 0 || first?.event.type === 'ERROR' || (!isLast && (first?.start ?? 0) > 1);
  return start === 'snapshot' || isLater;
}

/**
 * The request of a spell in which no edit ended. It is known if there was only one, or if the last one came before
 * there was a queue.
 */
function askedOnce(
  record: SubscriptionRecord,
  own: readonly SpellMessage[],
  isLast: boolean,
): Asked | undefined {
  const { asked, asks, cache, followed = {} } = record;
  const isKnown = asks.length === 1 || (isLast && cache !== undefined);
  const [edit = Math.max(0, ...Object.keys(followed).map(Number))] = own.map((message) => message.edit);
  return isKnown ? askedIn(record, edit, asked) : undefined;
}

/** A request with the namespaces that the subscription followed during an edit. */
function askedIn(
  { followed }: SubscriptionRecord,
  edit: number,
  asked: Asked | undefined,
): Asked | undefined {
  if (asked === undefined || followed === undefined) return asked;
  return { ...asked, namespaces: followed[edit] ?? [] };
}

/**
 * The resourceVersion from which on changes are promised without a snapshot: that of the acknowledgement, or that of
 * the first delivery if it is lower.
 */
function liveFrom({ acknowledgedAt, disturbed }: SubscriptionRecord, events: readonly ChangeEvent[]): number {
  const promised = disturbed.length === 0 ? acknowledgedAt : undefined;
  const versions = events.map(({ object }) => object.rv - 1);
  return Math.min(promised ?? Number.POSITIVE_INFINITY, ...versions);
}

/** The resourceVersion up to which a cut-off spell must be complete. After it, messages of one batch may be missing. */
function completeUpTo(events: readonly ChangeEvent[], from: number, ordered: boolean): number {
  if (!ordered) return from;
  const versions = [...new Set(events.map(({ object }) => object.rv))].sort((left, right) => left - right);
  return versions.at(-BATCH) ?? from;
}

/** Each message once, in the order of first receipt. */
export function messagesOf({ messages }: SubscriptionRecord): SpellMessage[] {
  const seen = new Set<string>();
  return messages
    .filter(({ messageId }) => !seen.has(messageId) && seen.add(messageId))
    .map((message) => numbered(message));
}

function numbered(message: ReceivedMessage): SpellMessage {
  const { deduplication = '' } = message;
  const [start, attempt] = deduplication.split('/').slice(-3).map(Number);
  return { ...message, start: start || 0, attempt: attempt || 0, position: positionIn(deduplication) };
}
