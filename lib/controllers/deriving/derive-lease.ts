import type { Derived, WorkKey } from '../../coordination/index.ts';
import { type Collection, type JsonObject, objectAt } from '../../json/index.ts';
import { NAMESPACES } from '../../kubernetes/lifecycle/index.ts';
import type { Clock } from '../../platform/index.ts';
import { fromLabels } from '../../selectors/index.ts';
import { type ObjectState, type Store, toObject } from '../../store/index.ts';
import { type Choice, chosenIn } from './choice.ts';
import { conditionsOf, isReady } from './is-ready.ts';
import { endOf, LEASE_LABEL, LEASES } from './leases.ts';
import { Reading } from './reading.ts';
import { PODS } from './workloads.ts';

/** The options of following a Lease. */
export interface DerivingLeaseOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly choice: Choice;
  /**
   * Writes the status of a whole object, unless the stored object has changed since the read. Rejects where it was
   * not written.
   */
  writeStatus(collection: Collection, object: JsonObject): Promise<void>;
}

const EXPIRED = 'LeaseExpired';

/**
 * Sets `Ready` to false on the pods that name a Lease which has ended or does not exist. Sets it back to true on those
 * pods once the Lease is renewed. A Lease that has not ended is checked again at the time when it would end.
 */
export async function deriveLease(options: DerivingLeaseOptions, subject: WorkKey): Promise<Derived> {
  const { store, clock, choice, writeStatus } = options;
  const reading = new Reading(store);
  const { name } = subject;
  const { namespace } = name;
  // Taken before anything is read: a renewal that this read misses then happens after `now`.
  const now = clock.now();
  const space = await reading.one(NAMESPACES, { namespace: '', name: namespace });
  if (!chosenIn(space?.labels ?? {}, choice).has('leases')) return { seen: reading.seen };
  const end = endOf(await reading.one(LEASES, name));
  const selector = fromLabels({ [LEASE_LABEL]: name.name });
  const pods = await reading.all(PODS, { namespace, selector }, (pod) => pod);
  const holds = end > now;
  for (const pod of pods) {
    const isWrong = holds ? wasCleared(pod) : isReady(pod.body);
    if (isWrong) await writeStatus(PODS, withReady(pod, readyOf(name.name, { holds, now })));
  }
  return { seen: reading.seen, ...(holds && pods.length > 0 && { next: end }) };
}

function wasCleared({ body }: ObjectState): boolean {
  return conditionsOf(body).some(({ type, reason }) => type === 'Ready' && reason === EXPIRED);
}

function readyOf(
  lease: string,
  { holds, now }: { readonly holds: boolean; readonly now: number },
): JsonObject {
  const lastTransitionTime = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
  if (holds) return { type: 'Ready', status: 'True', lastTransitionTime };
  const message = `the Lease ${lease} is not renewed`;
  return { type: 'Ready', status: 'False', lastTransitionTime, reason: EXPIRED, message };
}

function withReady(pod: ObjectState, ready: JsonObject): JsonObject {
  const conditions = conditionsOf(pod.body).map((one) => (one.type === 'Ready' ? ready : one));
  return { ...toObject(pod), status: { ...objectAt(pod.body.status), conditions } };
}
