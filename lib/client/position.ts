import type { Message } from './message.ts';
import { NO_VERSION, type Version } from './version.ts';

/**
 * The progress of a replica: one small row that is written when a set begins or is complete. It can be serialized as
 * JSON.
 */
export interface Position {
  /** Increases by one with each write. */
  readonly revision: number;
  /** The name of the followed queue; empty until the first message that names it. */
  readonly queue: string;
  /** The edit of the last ERROR that was followed. Messages of lower edits are ignored. */
  readonly base: number;
  /** The id of that ERROR. */
  readonly error: string;
  /** The highest edit whose snapshot has ended. On a Standard queue, that end may arrive before the ERROR. */
  readonly ended: number;
  /** The generation that is shown. */
  readonly shown: number;
  /** The generation that receives a new snapshot; 0 if there is none. */
  readonly next: number;
  /** The highest generation so far. */
  readonly last: number;
  /** Whether the shown set was complete at least once. */
  readonly isSynced: boolean;
  /** The version of the LIST that the set came from. The shown set contains every change up to it. */
  readonly floor: Version;
  /** Generations to delete. */
  readonly garbage: readonly number[];
}

/** The position of an empty store. */
export const FIRST: Position = {
  revision: 0,
  queue: '',
  base: 0,
  error: '',
  ended: 0,
  shown: 1,
  next: 0,
  last: 1,
  isSynced: false,
  floor: NO_VERSION,
  garbage: [],
};

/**
 * Classifies a message:
 *
 * - `here`: it belongs to the current set.
 * - `over`: it belongs to a set that is over.
 * - `new`: it begins a new set, of which a new snapshot follows. A message from another queue is always `new`.
 *
 * An ERROR without an edit is compared by its id, to detect that SQS delivers the same one again.
 */
export function place(position: Position, message: Message): 'here' | 'over' | 'new' {
  const { queue, edit, id, kind } = message;
  if (queue !== '' && position.queue !== '' && queue !== position.queue) return 'new';
  if (edit < position.base) return 'over';
  if (kind !== 'start-over' || position.revision === 0) return 'here';
  const isRepeated = edit === 0 ? id === position.error : edit === position.base;
  return isRepeated ? 'here' : 'new';
}

/**
 * Returns the position after a message that is `here` or `new`. It is the same object if the message changes nothing.
 */
export function turned(position: Position, message: Message): Position {
  const isNew = place(position, message) === 'new';
  const seen = { ...position, ...seenIn(position, message, isNew) };
  if (!isNew) return position.revision > 0 && isSame(seen, position) ? position : seen;
  const { next, last, garbage } = position;
  return { ...seen, next: last + 1, last: last + 1, garbage: next === 0 ? garbage : [...garbage, next] };
}

function seenIn({ queue, base, error, ended }: Position, message: Message, isNew: boolean) {
  const isAnother = isNew && message.queue !== queue;
  const isEnd = message.kind === 'snapshot-end';
  return {
    queue: message.queue || queue,
    ended: Math.max(isAnother ? 0 : ended, isEnd ? message.edit : 0),
    ...(message.kind === 'start-over'
      ? { base: message.edit, error: message.id }
      : { base: isAnother ? 0 : base, error }),
  };
}

function isSame(one: Position, other: Position): boolean {
  const { queue, base, error, ended } = one;
  return queue === other.queue && base === other.base && error === other.error && ended === other.ended;
}
