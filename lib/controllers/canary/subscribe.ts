import { type JsonObject, jsonEquals, metadataOf, objectAt, valueAt } from '../../json/index.ts';
import { SUBSCRIPTIONS } from '../../kubernetes/lifecycle/index.ts';
import { CANARY } from '../../platform/index.ts';
import type { Store } from '../../store/index.ts';
import { BEAT, type Writer } from './object.ts';

const { namespace, name } = CANARY;

/**
 * The spec of the canary's Subscription. It selects objects that only the canary writes, in the canary's own
 * namespace.
 */
const SPEC: JsonObject = {
  resource: { group: 'winnow.dev', resource: 'canaries' },
  labelSelector: BEAT,
  start: 'snapshot',
  payload: 'Metadata',
};

export interface SubscribeOptions {
  readonly store: Store;
  readonly writer: Writer;
  /** Whether the Subscription's queue may be gone. */
  readonly queuesLost: boolean;
}

/**
 * The URL of the queue of the canary's Subscription. Undefined where no message can be expected from it yet: the
 * Subscription was just created, or its queue was lost.
 *
 * @throws {Error} the Subscription is not synced, or not the canary's.
 */
export async function subscribe({
  store,
  writer,
  queuesLost,
}: SubscribeOptions): Promise<string | undefined> {
  const found = await store.get(SUBSCRIPTIONS, { namespace, name });
  if (found === undefined) {
    await writer.create(SUBSCRIPTIONS, { metadata: { namespace, name }, spec: SPEC });
    return undefined;
  }
  const { body } = found;
  if (queuesLost) return undefined;
  if (metadataOf(body).deletionTimestamp !== undefined) throw refused('is being deleted');
  const spec = objectAt(body.spec);
  const others = Object.keys(SPEC).filter((field) => !jsonEquals(spec[field] ?? null, SPEC[field] ?? null));
  if (others.length > 0) {
    throw refused(`has another ${others.join(', ')}: delete it, and the canary creates it again`);
  }
  const { phase, queueUrl, conditions } = objectAt(body.status);
  if (phase === 'Synced') return String(queueUrl);
  const [ready = {}] = Array.isArray(conditions) ? conditions : [];
  throw refused(`is ${phase}: ${valueAt(objectAt(ready), 'message') ?? 'it has not been reconciled yet'}`);
}

function refused(why: string): Error {
  return new Error(`the Subscription ${namespace}/${name} ${why}`);
}
