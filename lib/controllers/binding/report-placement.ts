import { recordEvent } from '../../coordination/index.ts';
import { POD_SCHEDULED, whyNotAssigned, withPodCondition } from '../../kubernetes/assignment/index.ts';
import { COMPONENTS, type EventRecord } from '../../kubernetes/lifecycle/index.ts';
import type { Clock, Random } from '../../platform/index.ts';
import { editedPod } from '../../server/index.ts';
import {
  ContentionError,
  type Mutation,
  type ObjectState,
  type Store,
  type WriteOutcome,
} from '../../store/index.ts';
import { PODS } from './pods.ts';

export interface TellOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
}

/** Records an Event that a pod was assigned to a node. */
export function tellScheduled(options: TellOptions, pod: ObjectState, node: string): Promise<void> {
  const { namespace, name } = pod.name;
  const message = `Successfully assigned ${namespace}/${name} to ${node}`;
  return tell(options, pod, { type: 'Normal', reason: 'Scheduled', message });
}

/**
 * Reports that no node fits a pod: in its condition PodScheduled, and in an Event. Returns the outcome of the pod's
 * write. Returns `behind`, and reports nothing, where the pod's row is older than the state that the journal has
 * delivered.
 */
export async function tellRefused(
  options: TellOptions,
  pod: ObjectState,
  message: string,
): Promise<WriteOutcome | 'behind'> {
  let isBehind = false;
  const outcome = await options.store.write(PODS, pod.name, (current) => {
    isBehind = (current?.rv ?? 0) < pod.rv;
    return refused(options, current, pod, message);
  });
  if (outcome.kind === 'none' && isBehind) return 'behind';
  await tell(options, pod, { type: 'Warning', reason: 'FailedScheduling', message });
  return outcome;
}

async function refused(
  { clock }: TellOptions,
  current: ObjectState | undefined,
  { uid, name }: ObjectState,
  message: string,
): Promise<Mutation> {
  if (current?.uid !== uid || whyNotAssigned(name.name, current.body) !== undefined) return { kind: 'none' };
  const condition = { type: POD_SCHEDULED, status: 'False', reason: 'Unschedulable', message } as const;
  return editedPod(current, clock, (body, now) => withPodCondition(body, condition, now));
}

async function tell(options: TellOptions, { name, uid }: ObjectState, happening: EventRecord): Promise<void> {
  const about = { apiVersion: 'v1', kind: 'Pod', name, uid };
  try {
    await recordEvent({ ...options, component: COMPONENTS.placement }, about, happening);
  } catch (error) {
    // Another process is recording the same Event.
    if (!(error instanceof ContentionError)) throw error;
  }
}
