import type { QueueMessage } from '../../coordination/index.ts';
import type { ObjectEvent } from '../../store/index.ts';
import { type SetDigest, setIn, tallyAfter } from './tally.ts';

export interface Telling {
  readonly event: ObjectEvent;
  readonly message: QueueMessage;
}

export interface Tallied {
  readonly messages: readonly QueueMessage[];
  /** The digest for the state row after this many messages were accepted; default: all. */
  after(accepted?: number): { readonly tally?: SetDigest };
}

/**
 * Adds the attributes `sequence` and `set` to messages: the number of the change in the subscription, and its set after
 * the change. Without a digest, messages stay as they are.
 */
export function withDigests(tally: SetDigest, told: readonly Telling[]): Tallied {
  if (tally === '') return { messages: told.map(({ message }) => message), after: () => ({}) };
  const tallies = [tally];
  const messages = told.map(({ event, message }) => {
    const after = tallyAfter(tallies.at(-1) ?? tally, event);
    tallies.push(after);
    return { ...message, attributes: { ...message.attributes, ...setIn(after) } };
  });
  return { messages, after: (accepted = told.length) => ({ tally: tallies[accepted] ?? tally }) };
}
