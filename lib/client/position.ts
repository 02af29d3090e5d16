import type { Message } from './message.ts';
import { NO_VERSION, type Version } from './version.ts';

/** How far a replica is: one small row, written when a set begins or is complete. JSON keeps it as it is. */
export interface Position {
  /** One higher with each write. */
  readonly revision: number;
  /** The name of the queue that is followed; empty until a message said it. */
  readonly queue: string;
  /** The edit of the ERROR that was heeded last: what is of a lower one is over. */
  readonly base: number;
  /** The id of that ERROR. */
  readonly error: string;
  /** The highest edit whose snapshot ended: a Standard queue may say so before the ERROR. */
  readonly ended: number;
  /** The generation that is shown. */
  readonly shown: number;
  /** The generation in which a fresh snapshot comes in; 0 while none does. */
  readonly next: number;
  /** The highest generation that ever was. */
  readonly last: number;
  /** What is shown was complete once. */
  readonly isSynced: boolean;
  /** Every change up to here is in what is shown: it was listed. */
  readonly floor: Version;
  /** Generations that are to be deleted. */
  readonly garbage: readonly number[];
}

/** Of an empty store. */
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
 * Where a message belongs: `here`; to what is `over`; or it begins a `new` set, of which a fresh snapshot comes. Another
 * queue always does. An ERROR that bears no edit is told by its id from one that is handed out again.
 */
export function place(position: Position, message: Message): 'here' | 'over' | 'new' {
  const { queue, edit, id, kind } = message;
  if (queue !== '' && position.queue !== '' && queue !== position.queue) return 'new';
  if (edit < position.base) return 'over';
  if (kind !== 'start-over' || position.revision === 0) return 'here';
  const isRepeated = edit === 0 ? id === position.error : edit === position.base;
  return isRepeated ? 'here' : 'new';
}

/** The position once a message `here` or `new` was seen; the same one where it says nothing new. */
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
