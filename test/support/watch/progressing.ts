import type { QueueMessage } from '../../../lib/coordination/index.ts';
import type { SubscriptionState } from '../../../lib/delivery/index.ts';
import type { Progress } from '../../../lib/delivery/reconcile/progress.ts';
import { chosen } from '../../../lib/delivery/subscription/index.ts';
import type { Store } from '../../../lib/store/index.ts';
import { Gauge } from '../gauge.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { member, targetOf } from './members.ts';
import { nameOf, PODS } from './watch-world.ts';

/** Pods, and a subscription whose progress is noted instead of stored and sent. */
export function createProgressing() {
  const { store } = createMemoryStore();
  const gauge = new Gauge();
  const done: string[] = [];
  let state = member('sub');
  /** Undefined: everything is accepted. */
  const queue: { accepted?: number } = {};
  const progress = {
    get state() {
      return state;
    },
    store: async (change: Partial<SubscriptionState>) => {
      state = { ...state, ...change };
      done.push(`stores ${state.position}`);
    },
    note: (change: Partial<SubscriptionState>) => {
      state = { ...state, ...change };
    },
    storeQueue: async () => void done.push('stores the queue'),
    tellQueue: async () => {
      for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
      done.push('tells the queue');
    },
    send: async (
      messages: readonly QueueMessage[],
      failed: (sent: { accepted: number }) => Partial<SubscriptionState> = () => ({}),
    ) => {
      done.push(...messages.map(spell));
      const { accepted } = queue;
      if (accepted === undefined) return;
      state = { ...state, ...failed({ accepted }) };
      throw new Error('refused');
    },
  } as unknown as Progress;
  const slow: Store = {
    ...store,
    list: (...request) => gauge.slowly(3, () => store.list(...request)),
  };
  return {
    progress,
    queue,
    gauge,
    options: { store: slow, target: targetOf('pods') },
    /** What was done, in order, since it was asked last. */
    done: () => done.splice(0),
    /** The subscription from here on: what it selects, what it selected before its edit, and the rest of its row. */
    set(labelSelector: string, before: string | undefined, more: Partial<SubscriptionState> = {}) {
      const { payload = 'Object' } = more;
      const from = before === undefined ? '' : chosen(member('sub', { labelSelector: before }));
      state = { ...member('sub', { labelSelector, payload }), from, edit: 2, ...more };
    },
    /** Writes pods, each with the labels that its name is followed by: `a app=x`. Answers the head. */
    async write(...pods: readonly string[]): Promise<number> {
      for (const pod of pods) {
        const [name = '', label = ''] = pod.split(' ');
        const [key = '', value = ''] = label.split('=');
        const metadata = { ...nameOf(`default/${name}`), uid: name, labels: { [key]: value } };
        await store.write(PODS, metadata, () => ({ kind: 'put', body: { kind: 'Pod', metadata } }));
      }
      return store.head(PODS);
    },
  };
}

function spell({ body }: QueueMessage): string {
  const { type, object } = JSON.parse(body);
  return `${type} ${object.metadata.name}@${object.metadata.resourceVersion}`;
}
