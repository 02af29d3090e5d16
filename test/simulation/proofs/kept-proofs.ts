import { TIMING } from '../../../lib/platform/index.ts';
import type { Violation } from '../checks/index.ts';
import type { ProofRecord, Token } from './proof-record.ts';

const HOUR = 3_600_000;
/** The longest time, in ms, between the decision to send a token and the moment at which the queue has it. */
const SENDING = TIMING.reconcile + 10_000;

/**
 * Checks the promises about queues of users:
 * 1. A queue receives one token of each Subscription in an hour. The name of the Subscription counts, so an edit or a
 *    new Subscription of that name brings no other token.
 * 2. While a Subscription sends to a queue that it has proved, the queue receives no token of Subscriptions in other
 *    namespaces.
 * 3. The owner of each queue can prove it.
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
