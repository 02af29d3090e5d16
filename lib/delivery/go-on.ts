import type { ReconcileMessage } from '../coordination/index.ts';
import { ReconcileRequests, type ReconcileRequestsOptions } from '../coordination/index.ts';
import type { Random } from '../platform/index.ts';

export interface GoOnOptions extends ReconcileRequestsOptions {
  readonly random: Random;
}

/**
 * Sends the message of the current invocation to the reconcile queue again, so that another invocation does the rest at
 * once. Never fails: if the message cannot be sent, or a chain of such messages is too long, `tick` sends a new one
 * within a minute.
 */
export async function goOn(options: GoOnOptions, message: ReconcileMessage): Promise<void> {
  const notices = new ReconcileRequests(options, (message.hops ?? 0) + 1);
  notices.add(message, `continue/${options.random.uuid()}`);
  await notices.send();
}
