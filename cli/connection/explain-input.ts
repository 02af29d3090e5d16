import { explainStatus } from './explain-status.ts';
import { Fault } from './fault.ts';
import type { Reply } from './reply.ts';

/** The statuses of a request that names something invalid or missing. */
const OF_INPUT = [400, 404, 422];

/**
 * The error for a refused request that contains what the user typed. Its message is the endpoint's own, if the endpoint
 * answered with a Status about the input; otherwise it is that of {@link explainStatus}.
 */
export function explainInput(reply: Reply, request: string): Fault {
  const { kind, message, details } = (reply.body ?? {}) as {
    kind?: string;
    message?: string;
    details?: { readonly name?: string };
  };
  const isOfInput = kind === 'Status' && message !== undefined && OF_INPUT.includes(reply.status);
  // A 404 without a name is about the path and not about an object.
  if (!isOfInput || (reply.status === 404 && !details?.name)) return explainStatus(reply, request);
  return new Fault({ what: message, advice: 'Correct the command and try again' });
}
