import { setTimeout as sleep } from 'node:timers/promises';
import type { SubscriptionSpec } from '../../lib/client/index.ts';
import { type Connection, Fault } from '../connection/index.ts';

export interface Asked {
  readonly connection: Connection;
  /** Of the Subscription. */
  readonly namespace: string;
  readonly name: string;
  readonly signal: AbortSignal;
}

/** What a Subscription told its queue. */
export interface Told {
  readonly spec: SubscriptionSpec;
  /** Everything up to this resourceVersion. */
  readonly position: string;
  readonly sequence: number;
  /** `<count>/<digest>`. */
  readonly set: string;
}

interface Subscription {
  readonly spec: SubscriptionSpec & { readonly verify?: boolean };
  readonly status?: Partial<Omit<Told, 'spec'>> & { readonly phase?: string };
}

/** How often it is asked for while an edit is under way, and the pause between, in ms. */
const TRIES = 30;
const PAUSE = 1_000;

/** @throws {Fault} there is none, it is not counted, or no set is in force for half a minute. */
export async function toldSet({ connection, namespace, name, signal }: Asked): Promise<Told> {
  const path = `/apis/winnow.dev/v1/namespaces/${namespace}/subscriptions/${name}`;
  let phase = '';
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (tries > 0) await sleep(PAUSE, undefined, { signal });
    const { status: code, body } = await connection.send('GET', path);
    if (code === 404) {
      const advice = 'List them: kubectl get subscriptions --all-namespaces';
      throw new Fault({ what: `there is no Subscription ${name} in the namespace ${namespace}`, advice });
    }
    const found = (body ?? (await connection.ask('GET', path))) as unknown as Subscription;
    const { spec, status = {} } = found;
    if (spec.verify !== true) {
      const what = `what the Subscription ${name} was told is not counted: create it anew with spec.verify: true`;
      throw new Fault({ what, advice: 'It cannot be set later.' });
    }
    const { position, sequence, set } = status;
    if (position !== undefined && sequence !== undefined && set !== undefined) {
      return { spec, position, sequence, set };
    }
    phase = status.phase ?? 'Pending';
  }
  const what = `the Subscription ${name} is ${phase}: in the middle of a snapshot or an edit there is no one set`;
  throw new Fault({ what, advice: 'Try again when it is Synced.' });
}
