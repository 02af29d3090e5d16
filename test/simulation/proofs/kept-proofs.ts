import { TIMING } from '../../../lib/platform/index.ts';
import type { Violation } from '../checks/index.ts';
import type { ProofRecord, Token } from './proof-record.ts';

const HOUR = 3_600_000;
/** The longest time, in ms, between the decision to send a token and the moment at which the queue has it. */
const SENDING = TIMING.reconcile + 10_000;

/**
 * A queue of users gets one token of each Subscription in an hour, by its name: edits and a Subscription made anew
 * change nothing. While a Subscription of one namespace sends to a queue that it has proved, those of other namespaces
 * send it no token. Each queue is proved by its owner.
 */
export function keptProofs(record: ProofRecord): Violation[] {
  const { queues, tokens, provings } = record;
  const named = Map.groupBy(tokens, ({ queue, namespace, name }) => `${queue} ${namespace}/${name}`);
  return [
    ...violation(
      'a queue got two tokens of one Subscription in an hour',
      [...named.values()].flatMap(tooEarly),
    ),
    ...violation(
      'a queue that a Subscription has proved got a token of another namespace',
      tokens.filter((token) => isOfStranger(record, token)).map((token) => JSON.stringify(token)),
    ),
    ...violation(
      'the owner of a queue could not prove it',
      queues.filter((queue) => !provings.some((one) => one.queue === queue)),
    ),
  ];
}

function tooEarly(tokens: readonly Token[]): string[] {
  const inOrder = [...tokens].sort((one, other) => one.at - other.at);
  return inOrder.flatMap((token, index) => {
    const before = inOrder[index - 1];
    if (before === undefined || token.at - before.at >= HOUR - SENDING) return [];
    return [`${JSON.stringify(token)}, and one at ${before.at}`];
  });
}

function isOfStranger({ provings }: ProofRecord, { queue, namespace, at }: Token): boolean {
  return provings.some(
    (one) => one.queue === queue && one.namespace !== namespace && one.from < at - SENDING && one.to > at,
  );
}

function violation(message: string, evidence: readonly string[]): Violation[] {
  return evidence.length === 0 ? [] : [{ check: 'kept-proofs', message, evidence: evidence.slice(0, 5) }];
}
