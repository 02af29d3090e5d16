import type { QueueMessage } from '../../coordination/index.ts';
import type { ObjectEvent } from '../../store/index.ts';
import { type SetDigest, setIn, tallyAfter } from './tally.ts';

export interface Telling {
  readonly event: ObjectEvent;
  readonly message: QueueMessage;
}

export interface Tallied {
  readonly messages: readonly QueueMessage[];
  /** What a state row is to say when so many of them were accepted; all of them, where nothing is said. */
  after(accepted?: number): { readonly tally?: SetDigest };
}

/**
 * Messages that say which change of the subscription they are, and what its set is after it: the attributes `sequence`
 * and `set`. Where nobody counts, as they are.
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
