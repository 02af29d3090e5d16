import type { Asked, ReceivedMessage, Snapshot, WatchedEvent } from '../history.ts';

export type ChangeEvent = Extract<WatchedEvent, { readonly object: Snapshot }>;

/** Changes delivered to one reader without a break that would have made it forget. */
export interface Spell {
  readonly name: string;
  /** Undefined: the request at that time is not known any more. */
  readonly asked: Asked | undefined;
  /** The spell had to deliver every transition with `from < rv <= to`. */
  readonly from: number;
  readonly to: number;
  /** The live changes, in the order of arrival. */
  readonly events: readonly ChangeEvent[];
}

export interface WatchedSpell extends Spell {
  readonly asked: Asked;
  readonly begins: 'list' | 'resume';
  /** All events, with bookmarks and the ERROR. */
  readonly all: readonly WatchedEvent[];
}

export interface QueuedSpell extends Spell {
  readonly fifo: boolean;
  /** Whether the spell has to be complete: it is the last of a subscription that was acknowledged and still exists. */
  readonly isLast: boolean;
  /**
   * Whether the spell must begin with an ERROR: its consumer knows an earlier spell, and nothing disturbed the
   * subscription.
   */
  readonly mustForget: boolean;
  /** Whether an edit of the spell never ended: its first snapshot, or a later one. */
  readonly isCutShort: boolean;
  /** The edits that ended, ascending; `events` belong to the last. */
  readonly edits: readonly EndedEdit[];
  /** Each message once, however often SQS delivered it. */
  readonly messages: readonly SpellMessage[];
  /** SQS took a batch in part, and the sender died of it: ten messages may be out of order. */
  readonly bent: boolean;
  /** Dispatchers that were not stopped may have repeated changes after later ones. */
  readonly outlived: boolean;
}

/** The content of a bookmark: the queue has delivered all objects of the request up to `rv`. */
export interface EndedEdit {
  readonly edit: number;
  readonly rv: number;
  /** A snapshot is an edit from nothing. */
  readonly isSnapshot: boolean;
  readonly asked: Asked | undefined;
}

export interface SpellMessage extends ReceivedMessage {
  readonly start: number;
  readonly attempt: number;
  /** For a message of an edit's difference: the resourceVersion of the edit. Unknown for a Standard queue. */
  readonly position: number | undefined;
}

export function isChange(event: WatchedEvent): event is ChangeEvent {
  return event.type !== 'BOOKMARK' && event.type !== 'ERROR';
}

/** The position of an edit's difference, by its deduplication id `<uid>/<start>/<attempt>/<edit>.<position>.<hash>`. */
export function positionIn(deduplication = ''): number | undefined {
  const [edit, position, hash] = deduplication.slice(deduplication.lastIndexOf('/') + 1).split('.');
  return edit === undefined || hash === undefined ? undefined : Number(position);
}

/** The place of a message in the journal. Messages of an edit are at its position. */
export function placeOf({ event, position }: SpellMessage): number {
  return position ?? versionOf(event) ?? 0;
}

/** The content that one attempt sends once: a change under one edit, or the message of an edit about one object. */
export function contentKey({ event, edit, position }: SpellMessage): string {
  return isChange(event) ? `${edit} ${position ?? ''} ${event.object.object} ${event.object.rv}` : `${edit}`;
}

/** The resourceVersion in an event; undefined for an ERROR. */
export function versionOf(event: WatchedEvent): number | undefined {
  if (event.type === 'BOOKMARK') return event.rv;
  return event.type === 'ERROR' ? undefined : event.object.rv;
}

/** `MODIFIED default/web@5`, `BOOKMARK @7` or `ERROR`. */
export function describeEvent(event: WatchedEvent): string {
  if (event.type === 'ERROR') return 'ERROR';
  if (event.type === 'BOOKMARK') return `BOOKMARK @${event.rv}`;
  return `${event.type} ${event.object.object}@${event.object.rv} (token ${event.object.token})`;
}
