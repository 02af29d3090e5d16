import type { Random } from '../../../lib/platform/index.ts';
import { unprovenOf } from './misnumbered.ts';
import { matchingPods } from './model.ts';
import { PODS, type WatchWorld } from './watch-world.ts';

export interface RandomLifeOptions {
  readonly world: WatchWorld;
  readonly random: Random;
  readonly clock: { advance(milliseconds: number): void };
  readonly steps: number;
  /** Handles what is there. */
  pump(): Promise<void>;
  /** Lets a minute go by, with its tick and all that follows. */
  minute(): Promise<void>;
  /** Lets invocations run side by side to their end. */
  during(work: Promise<unknown>): Promise<unknown>;
}

/** What a subscription selects, for the naive model. */
interface Selected {
  readonly app: string;
  readonly namespaces: 'Own' | 'All';
}

export interface Outcome {
  readonly known: Readonly<Record<string, string[]>>;
  readonly expected: Readonly<Record<string, string[]>>;
  readonly unproven: readonly string[];
}

const APPS = ['x', 'y', 'z'];
const NAMESPACES = ['default', 'elsewhere'];

/**
 * Random writes, relabels and deletes; subscriptions that come, go and are edited; queues deleted, sends that
 * fail, processes that die; consumers that read now and then.
 */
export class RandomLife {
  readonly subscriptions = new Map<string, Selected>();
  /** What happened, to tell of a run that failed. */
  readonly log: string[] = [];
  readonly #options: RandomLifeOptions;
  #made = 0;

  constructor(options: RandomLifeOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { steps, world, clock, minute, during } = this.#options;
    for (let step = 0; step < steps; step += 1) {
      const [name, act] = this.#pick(this.#weighted());
      this.log.push(name);
      await act();
    }
    world.faults.send = undefined;
    world.faults.crash = undefined;
    // The longest pause between attempts; and a queue that is gone is not missed before something is sent.
    clock.advance(15 * 60_000);
    for (let look = 0; look < 2; look += 1) {
      await during(world.handle(() => world.reconciler.tick({ all: look === 1 })));
      for (let count = 0; count < 2; count += 1) await minute();
    }
  }

  /** What each consumer knows in the end, and what it has to; and what of its messages proves another set. */
  async outcome(): Promise<Outcome> {
    const known: Record<string, string[]> = {};
    const expected: Record<string, string[]> = {};
    const unproven: string[] = [];
    for (const [name, { app, namespaces }] of this.subscriptions) {
      const consumer = await this.#options.world.consume(name);
      known[name] = consumer.known;
      unproven.push(...unprovenOf(consumer).map((wrong) => `${name}: ${wrong}`));
      expected[name] = await matchingPods(
        this.#options.world,
        (pod) => pod.labels.app === app && (namespaces === 'All' || pod.name.namespace === 'default'),
      );
    }
    return { known, expected, unproven };
  }

  #weighted(): [string, () => Promise<unknown>][] {
    const { pump, minute } = this.#options;
    const acts: [number, string, () => Promise<unknown>][] = [
      [12, 'write', () => this.#write()],
      [3, 'remove', () => this.#remove()],
      [4, 'pump', () => this.#maybeDying(pump)],
      [1, 'minute', minute],
      [1, 'two dispatchers', () => this.#twoDispatchers()],
      [2, 'consume', () => this.#consume()],
      [2, 'subscribe', () => this.#subscribe()],
      [2, 'edit', () => this.#edit()],
      [1, 'unsubscribe', () => this.#unsubscribe()],
      [1, 'delete a queue', () => this.#deleteQueue()],
      [2, 'sends fail', async () => this.#failSends()],
      [1, 'sends work', async () => this.#mendSends()],
    ];
    return acts.flatMap(([weight, name, act]) => Array(weight).fill([name, act]));
  }

  async #write(): Promise<void> {
    const { world } = this.#options;
    await world.put(this.#podName(), { app: this.#pick(APPS), tier: this.#pick(APPS) });
  }

  async #remove(): Promise<void> {
    const { world } = this.#options;
    const name = this.#podName();
    const [namespace = '', pod = ''] = name.split('/');
    if ((await world.store.get(PODS, { namespace, name: pod })) !== undefined) await world.remove(name);
  }

  async #subscribe(): Promise<void> {
    const name = `sub${this.#made++}`;
    const app = this.#pick(APPS);
    const namespaces = this.#pick(['Own', 'All'] as const);
    const type = this.#pick(['FIFO', 'Standard']);
    this.subscriptions.set(name, { app, namespaces });
    const selector = { matchLabels: { app } };
    const verify = type === 'FIFO';
    await this.#options.world.subscribe(name, {
      start: 'snapshot',
      namespaces,
      queue: { type },
      selector,
      verify,
    });
  }

  async #edit(): Promise<void> {
    const [name, old] = this.#anySubscription() ?? [];
    if (name === undefined || old === undefined) return;
    const app = this.#pick(APPS);
    this.subscriptions.set(name, { ...old, app });
    await this.#options.world.edit(name, { selector: { matchLabels: { app } } });
  }

  async #unsubscribe(): Promise<void> {
    const [name] = this.#anySubscription() ?? [];
    if (name === undefined) return;
    this.subscriptions.delete(name);
    await this.#options.world.unsubscribe(name);
  }

  async #deleteQueue(): Promise<void> {
    const { world } = this.#options;
    const [name = ''] = this.#anySubscription() ?? [];
    const queue = await world.queueOf(name);
    if (queue !== '') await world.queues.delete(queue);
  }

  async #consume(): Promise<void> {
    for (const name of this.subscriptions.keys()) await this.#options.world.consume(name);
  }

  /** One batch in three to subscribers is not accepted, in part or as a whole. */
  #failSends(): void {
    const { world, random } = this.#options;
    world.faults.send = (url, messages) => {
      if (!url.includes('winnow-') || random.fraction() > 1 / 3) return undefined;
      if (random.fraction() < 0.3) return new Error('not now');
      return messages.map((_, index) => index).filter(() => random.fraction() < 0.3);
    };
  }

  #mendSends(): void {
    this.#options.world.faults.send = undefined;
  }

  async #maybeDying(work: () => Promise<void>): Promise<void> {
    const { world, random } = this.#options;
    const from = world.faults.calls.length;
    const dies = from + Math.floor(random.fraction() * 60);
    const when = this.#pick(['before', 'after'] as const);
    if (random.fraction() < 0.3) world.faults.crash = (_, number) => (number === dies ? when : undefined);
    await work();
    world.faults.crash = undefined;
  }

  async #twoDispatchers(): Promise<void> {
    const { world, during } = this.#options;
    const hint = { collection: PODS, rv: await world.store.head(PODS) };
    const works = [1, 2].map(() => world.handle(() => world.newDispatcher().dispatch(hint)));
    await during(Promise.all(works));
  }

  #anySubscription(): [string, Selected] | undefined {
    return this.subscriptions.size === 0 ? undefined : this.#pick([...this.subscriptions]);
  }

  #podName(): string {
    return `${this.#pick(NAMESPACES)}/p${Math.floor(this.#options.random.fraction() * 8)}`;
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#options.random.fraction() * items.length)] as Item;
  }
}
