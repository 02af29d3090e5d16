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
  /** The prefix of the names of queues that Winnow creates, and the prefix of their ARNs up to the name. */
  readonly queuePrefix: string;
  readonly queueArns: string;
  /** The URLs of the deployment's own queues. The first one shows the form of a queue URL. */
  readonly internalQueueUrls: readonly [string, ...string[]];
}

export interface OwnQueueGiven {
  /** The token in the Subscription's spec. The user copied it from the queue. */
  readonly token: string;
  readonly generation: number;
}

/**
 * Sends a token to a user-owned queue. The user copies the token into the Subscription, which proves that the user may
 * read the queue. A message that arrives proves only that Winnow may send.
 *
 * Once the token is back, the proof is recorded. Winnow sends the token only to a queue that is tagged for this
 * deployment, and at most once an hour.
 *
 * @throws {SendRefusedError} the token is not back yet, Winnow may not send to the queue, or SQS did not accept the
 * token.
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
  // The token is stored before it is sent, so that Winnow waits for the token that it sent.
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

/** Whether SQS said that it accepted nothing. Without an answer, this is unknown. */
function isDenied(message: string): boolean {
  return /not authorized|access ?denied|access to the resource|no queue|kms/i.test(message);
}

/** Returns why Winnow may not send to a queue; undefined: it may. */
function whyRefused(arn: string, options: OwnQueueOptions): string | undefined {
  const { queueArns, queuePrefix, internalQueueUrls } = options;
  const [, , , region, account, name = ''] = arn.split(':');
  const [, , , ownRegion, ownAccount] = queueArns.split(':');
  if (region !== ownRegion) return `${arn} is in another region than the deployment, ${ownRegion}`;
  if (account !== ownAccount) return undefined;
  const isInternal = internalQueueUrls.some((url) => url.endsWith(`/${name}`));
  return isInternal || name.startsWith(queuePrefix) ? `${arn} is the deployment's own` : undefined;
}

/** Derives a queue's URL from its ARN. In one region, URLs differ only in the parts that the ARNs contain. */
function urlOf(arn: string, { internalQueueUrls: [known] }: OwnQueueOptions): string {
  const [, , , , account, name] = arn.split(':');
  return known.replace(/[^/]+\/[^/]+$/, `${account}/${name}`);
}
