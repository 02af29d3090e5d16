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
  /** It began with a snapshot that never ended. */
  readonly isCutShort: boolean;
  /** The resourceVersions of its snapshots, each ended by a bookmark: at most one, but on a Standard queue. */
  readonly snapshots: readonly number[];
  /** What came of the snapshot. */
  readonly snapshotEvents: readonly ChangeEvent[];
  /** Each message once, however often SQS handed it out. */
  readonly messages: readonly SpellMessage[];
  /** SQS took a batch in part from a sender that died of it: ten messages may be out of order. */
  readonly bent: boolean;
  /** Dispatchers that nobody stopped may have repeated changes behind later ones. */
  readonly outlived: boolean;
}

export interface SpellMessage extends ReceivedMessage {
  readonly start: number;
  readonly attempt: number;
}

export function isChange(event: WatchedEvent): event is ChangeEvent {
  return event.type !== 'BOOKMARK' && event.type !== 'ERROR';
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
