import type { Queues } from '../../coordination/index.ts';
import { EVENT_RECORDS } from '../../kubernetes/lifecycle/index.ts';
import type { Random } from '../../platform/index.ts';
import { tokenMessage } from '../event-message.ts';
import { noteProved, type ProofOptions, returnToken, takeToken } from '../proofs/index.ts';
import { type Progress, SendRefusedError } from './progress.ts';
import { type DeliverableOptions, whyNotDeliverable } from './why-not-deliverable.ts';

export interface OwnQueueOptions extends ProofOptions, Omit<DeliverableOptions, 'queues'> {
  readonly queues: Queues;
  readonly random: Random;
  /** What the names of the queues begin with that are made here, and their ARNs: all before their names. */
  readonly queuePrefix: string;
  readonly queueArns: string;
  /** URLs of the deployment's own queues. The first one's says how a URL is spelled here. */
  readonly internalQueueUrls: readonly [string, ...string[]];
}

export interface OwnQueueGiven {
  /** What the Subscription says that came through the queue. */
  readonly token: string;
  readonly generation: number;
}

/**
 * Sends the token to a queue of a user. The user puts the token into the Subscription, which proves that the user may
 * read the queue. A message that arrives proves only that Winnow may send. When it came back, the queue is noted. The
 * token goes to no queue that is not tagged for this deployment, nor more than once in an hour.
 *
 * @throws {SendRefusedError} it did not yet, or the queue is none that is sent to, or did not take it.
 */
export async function proveQueue(
  progress: Progress,
  options: OwnQueueOptions,
  { token, generation }: OwnQueueGiven,
): Promise<void> {
  const { queueArn } = progress.state;
  const refuse = (why: string) => {
    progress.tell(EVENT_RECORDS.queueRefused(why));
    return progress.putOff(why);
  };
  const refused = whyRefused(queueArn, options);
  if (refused !== undefined) return refuse(refused);
  const url = urlOf(queueArn, options);
  if (progress.state.token !== '' && token === progress.state.token) {
    await noteProved(options, progress.state);
    progress.noteQueue(url);
    progress.note({ failure: '' });
    return;
  }
  const failure = `spec.queue.token has to be the token that was sent to ${queueArn}, in a message of type TOKEN`;
  if (progress.state.tokenSent === generation) throw new SendRefusedError(failure);
  const fault = await whyNotDeliverable(options, { arn: queueArn, url });
  if (fault !== undefined) return refuse(fault);
  // Stored before it is sent: what was sent is what is waited for.
  if (progress.state.token === '') await progress.store({ token: options.random.uuid() });
  const early = await takeToken(options, progress.state);
  if (early !== undefined) return refuse(early);
  const asked = { ...progress.state, generation, queueUrl: url };
  try {
    await progress.send([tokenMessage(asked)], undefined, url);
  } catch (error) {
    const isTaken = !(error instanceof SendRefusedError && isDenied(error.message));
    if (!isTaken) await returnToken(options, progress.state);
    throw error;
  }
  progress.tell(EVENT_RECORDS.tokenSent(queueArn));
  await progress.store({ tokenSent: generation, failures: 0, nextAttempt: 0, failure });
  throw new SendRefusedError(failure);
}

/** Whether SQS said that it took nothing: of what got no answer that is not known. */
function isDenied(message: string): boolean {
  return /not authorized|access ?denied|access to the resource|no queue|kms/i.test(message);
}

/** Undefined: it may be sent to. */
function whyRefused(arn: string, options: OwnQueueOptions): string | undefined {
  const { queueArns, queuePrefix, internalQueueUrls } = options;
  const [, , , region, account, name = ''] = arn.split(':');
  const [, , , ownRegion, ownAccount] = queueArns.split(':');
  if (region !== ownRegion) return `${arn} is in another region than the deployment, ${ownRegion}`;
  if (account !== ownAccount) return undefined;
  const isInternal = internalQueueUrls.some((url) => url.endsWith(`/${name}`));
  return isInternal || name.startsWith(queuePrefix) ? `${arn} is the deployment's own` : undefined;
}

/** Queues of one region differ in their URLs as in their ARNs. */
function urlOf(arn: string, { internalQueueUrls: [known] }: OwnQueueOptions): string {
  const [, , , , account, name] = arn.split(':');
  return known.replace(/[^/]+\/[^/]+$/, `${account}/${name}`);
}
