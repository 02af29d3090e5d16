import type { Queues } from '../../coordination/index.ts';
import { EVENT_RECORDS } from '../../kubernetes/lifecycle/index.ts';
import type { SubscribingRules } from '../limits/index.ts';
import { accessOf, accessPolicy, arnOfQueue } from '../subscription/index.ts';
import type { Progress } from './progress.ts';
import { receiversOf } from './receivers-of.ts';

export interface PermitOptions {
  readonly queues: Queues;
  /** The prefix of the ARNs of queues that Winnow creates, up to the name. */
  readonly queueArns: string;
  readonly rules: SubscribingRules;
}

export interface Permitted {
  /** The ARNs of the principals that may receive. */
  readonly consumers: readonly string[];
  /** The queue's current policy. */
  readonly policy: string | undefined;
}

/** Updates the receivers in the queue's policy if they differ. The next reconcile repeats what fails. */
export async function permitConsumers(
  progress: Progress,
  { queues, queueArns, rules }: PermitOptions,
  { consumers, policy }: Permitted,
): Promise<void> {
  const receivers = receiversOf(consumers, rules, progress.state.access);
  const access = accessOf(receivers);
  const { queueUrl, queueArn } = progress.state;
  // The owner of a user-owned queue sets its policy.
  if (queueUrl === '' || queueArn !== '' || progress.state.access === access) return;
  try {
    await queues.permit(queueUrl, accessPolicy(arnOfQueue(progress.state, queueArns), receivers, policy));
    progress.note({ access, accessFailure: '' });
  } catch (error) {
    const accessFailure = error instanceof Error ? error.message : String(error);
    progress.tell(EVENT_RECORDS.notPermitted(accessFailure));
    progress.note({ accessFailure });
  }
}
