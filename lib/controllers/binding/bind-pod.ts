import { assigned, whyNotAssigned } from '../../kubernetes/assignment/index.ts';
import type { Clock } from '../../platform/index.ts';
import { editedPod } from '../../server/index.ts';
import type { Fence, ObjectState, Store } from '../../store/index.ts';
import { PODS } from './pods.ts';

export interface BindOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The fence of the lease under which the node was chosen. */
  readonly fence: Fence;
  /** Renews the lease. @throws {LeaseHeldError} the lease was lost. */
  readonly hold: () => Promise<void>;
}

/**
 * Assigns a pod to a node, if the pod has not changed since the node was chosen. The transaction fails once another
 * process holds the lease. Returns one of:
 *
 * - the pod as it was written
 * - undefined where the pod has changed; the journal delivers the change
 * - `behind` where the pod's row is older than the state that the journal has already delivered
 *
 * @throws {LeaseHeldError} and whatever a write throws
 */
export async function bindPod(
  { store, clock, fence, hold }: BindOptions,
  pod: ObjectState,
  nodeName: string,
): Promise<ObjectState | 'behind' | undefined> {
  let tries = 0;
  let isBehind = false;
  const { kind, after } = await store.write(PODS, pod.name, async (current) => {
    tries += 1;
    // The first try may have failed because of the fence.
    if (tries > 1) await hold();
    isBehind = (current?.rv ?? 0) < pod.rv;
    if (current?.rv !== pod.rv) return { kind: 'none' };
    if (whyNotAssigned(pod.name.name, current.body) !== undefined) return { kind: 'none' };
    const mutation = await editedPod(current, clock, (body, now) => assigned(body, { nodeName, now }));
    return mutation.kind === 'put' ? { ...mutation, fence } : mutation;
  });
  if (kind !== 'none') return after;
  return isBehind ? 'behind' : undefined;
}
