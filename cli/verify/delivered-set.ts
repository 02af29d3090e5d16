import { setTimeout as sleep } from 'node:timers/promises';
import type { SubscriptionSpec } from '../../lib/client/index.ts';
import { type Connection, Fault } from '../connection/index.ts';

export interface VerifiedSubscription {
  readonly connection: Connection;
  /** The namespace of the Subscription. */
  readonly namespace: string;
  readonly name: string;
  readonly signal: AbortSignal;
}

/** The set that a Subscription delivered to its queue. */
export interface DeliveredSet {
  readonly spec: SubscriptionSpec;
  /** The resourceVersion up to which changes are delivered. */
  readonly position: string;
  readonly sequence: number;
  /** `<count>/<digest>`. */
  readonly set: string;
}

interface Subscription {
  readonly spec: SubscriptionSpec & { readonly verify?: boolean };
  readonly status?: Partial<Omit<DeliveredSet, 'spec'>> & { readonly phase?: string };
}

/** How often the status is read while an edit is in progress, and the pause between two reads, in ms. */
const TRIES = 30;
const PAUSE = 1_000;

/**
 * Reads the delivered set from the status of a Subscription.
 *
 * @throws {Fault} the Subscription does not exist, has no proof, or has had no complete set for half a minute.
 */
export async function toldSet({
  connection,
  namespace,
  name,
  signal,
}: VerifiedSubscription): Promise<DeliveredSet> {
  const path = `/apis/winnow.dev/v1/namespaces/${namespace}/subscriptions/${name}`;
  let phase = '';
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (tries > 0) await sleep(PAUSE, undefined, { signal });
    const { status: code, body } = await connection.send('GET', path);
    if (code === 404) {
      const advice = 'List them: kubectl get subscriptions --all-namespaces';
      throw new Fault({ what: `the Subscription ${name} does not exist in namespace ${namespace}`, advice });
    }
    const found = (body ?? (await connection.ask('GET', path))) as unknown as Subscription;
    const { spec, status = {} } = found;
    if (spec.verify !== true) {
      const what = `Subscription ${name} has no proof: recreate it with spec.verify: true`;
      throw new Fault({ what, advice: 'The field cannot be changed later.' });
    }
    const { position, sequence, set } = status;
    if (position !== undefined && sequence !== undefined && set !== undefined) {
      return { spec, position, sequence, set };
    }
    phase = status.phase ?? 'Pending';
  }
  const what = `Subscription ${name} is ${phase}: during a snapshot or an edit there is no set to compare`;
  throw new Fault({ what, advice: 'Try again when it is Synced.' });
}
