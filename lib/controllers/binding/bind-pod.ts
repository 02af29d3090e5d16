import { assigned, whyNotAssigned } from '../../kubernetes/assignment/index.ts';
import type { Clock } from '../../platform/index.ts';
import { editedPod } from '../../server/index.ts';
import type { Fence, ObjectState, Store } from '../../store/index.ts';
import { PODS } from './pods.ts';

export interface BindOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Of the lease under which the node was chosen. */
  readonly fence: Fence;
  /** @throws {LeaseHeldError} the lease was lost. */
  readonly hold: () => Promise<void>;
}

/**
 * Sends a pod to a node, if it is still what the node was chosen for, in a transaction that comes to nothing once
 * somebody else has the lease. Answers what it is then; undefined where it has changed, which the journal tells; `behind`
 * where its row does not show yet what the journal has told already.
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
    // What kept it from being written may be the fence.
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
