import type { Asked, ReceivedMessage, Snapshot, WatchedEvent } from '../history.ts';

export type ChangeEvent = Extract<WatchedEvent, { readonly object: Snapshot }>;

/** Changes delivered to one reader without a break that would have made it forget. */
export interface Spell {
  readonly name: string;
  /** Undefined: what was asked for then is not known any more. */
  readonly asked: Asked | undefined;
  /** Every transition with `from < rv <= to` was to be delivered. */
  readonly from: number;
  readonly to: number;
  /** The live changes, in the order of arrival. */
  readonly events: readonly ChangeEvent[];
}

export interface WatchedSpell extends Spell {
  readonly asked: Asked;
  readonly begins: 'list' | 'resume';
  /** Bookmarks and the ERROR included. */
  readonly all: readonly WatchedEvent[];
}

export interface QueuedSpell extends Spell {
  readonly fifo: boolean;
  /** Whether it has to be complete: the last one of a subscription that was acknowledged and is still there. */
  readonly isLast: boolean;
  /** Its consumer knows of an earlier one that nothing disturbed, and has to be told to forget it. */
  readonly mustForget: boolean;
  /** An edit of it never ended: the snapshot that it began with, or another. */
  readonly isCutShort: boolean;
  /** The edits that ended, ascending: `events` are of the last. */
  readonly edits: readonly EndedEdit[];
  /** Each message once, however often SQS handed it out. */
  readonly messages: readonly SpellMessage[];
  /** SQS took a batch in part from a sender that died of it: ten messages may be out of order. */
  readonly bent: boolean;
  /** Dispatchers that nobody stopped may have repeated changes behind later ones. */
  readonly outlived: boolean;
}

/** What a bookmark says: up to `rv` all was told of what is asked for. */
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
  /** Of an edit's difference: the resourceVersion that it was made at. Not known of a Standard queue's. */
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

/** Where in the journal a message stands: what an edit says, at its position. */
export function placeOf({ event, position }: SpellMessage): number {
  return position ?? versionOf(event) ?? 0;
}

/** What one attempt tells once: a change under one edit, or what an edit says of one object. */
export function contentKey({ event, edit, position }: SpellMessage): string {
  return isChange(event) ? `${edit} ${position ?? ''} ${event.object.object} ${event.object.rv}` : `${edit}`;
}

/** The resourceVersion that an event tells its reader; undefined for an ERROR. */
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
