import { setTimeout as sleep } from 'node:timers/promises';
import { check, type Violation } from '../simulation/checks/index.ts';
import { selectorOf } from '../simulation/checks/naive-selector.ts';
import type { Asked, Listing, Operation, Snapshot } from '../simulation/history.ts';
import type { Sample } from './draw-curves.ts';
import { SoakClient } from './soak-client.ts';
import { keepListing, list, SoakInformer } from './soak-readers.ts';
import { SoakSubscriber, type WantedSubscription } from './soak-subscriber.ts';
import { keepWriting } from './soak-writer.ts';
import { SoakedService } from './soaked-service.ts';

export interface SoakOptions {
  readonly minutes: number;
  /** Seconds between two kills of the service. */
  readonly restartEvery: number;
  say(text: string): void;
}

export interface Soaked {
  readonly samples: readonly Sample[];
  readonly violations: readonly Violation[];
  readonly counts: Readonly<Record<string, number>>;
}

const WRITERS = 4;
const INFORMERS = 3;
const SUBSCRIPTIONS: readonly WantedSubscription[] = [
  { name: 'verified', labelSelector: 'app=x', queueType: 'FIFO', verify: true },
  { name: 'ordered', labelSelector: 'app=y,tier!=a', queueType: 'FIFO', verify: false },
  { name: 'standard', labelSelector: 'tier in (a,b)', queueType: 'Standard', verify: false },
];
/** Seconds between two samples; of which the line fails for so many in a row, and then rests. */
const SAMPLE = 10;
const FAULTY = 40;
const CALM = 20;
/** Seconds until all is quiet, at least and at most. */
const RESTS = 40;
const SETTLES = 180;

/**
 * A mixed load against a local service that is killed now and then, on a line to its database that fails; and whatever
 * of that breaks a guarantee of docs/guarantees.md.
 */
export async function soak({ minutes, restartEvery, say }: SoakOptions): Promise<Soaked> {
  const service = await SoakedService.open();
  try {
    await service.start();
    say(`Soaking ${service.url} for ${minutes} minutes.`);
    const client = new SoakClient(service);
    const operations: Operation[] = [];
    const listings: Listing[] = [];
    const samples: Sample[] = [];
    const over = new AbortController();
    const left = new AbortController();
    const { signal } = over;
    const informers = Array.from({ length: INFORMERS }, (_, at) => new SoakInformer(client, at, listings));
    const subscribers = SUBSCRIPTIONS.map((wanted) => new SoakSubscriber(client, service.queues, wanted));
    await Promise.all(subscribers.map((one) => one.subscribe()));
    const watching = [...informers, ...subscribers].map((one) => one.run(left.signal));
    const loading = [
      ...Array.from({ length: WRITERS }, (_, at) =>
        keepWriting({ client, name: `writer-${at}`, operations, signal }),
      ),
      keepListing(client, 'lister', { listings, signal }),
    ];
    const disturbing = disturb(service, { restartEvery, signal });
    for (const end = client.now + minutes * 60_000; client.now < end; ) {
      await sleep(SAMPLE * 1_000);
      service.assertRunning();
      samples.push(await sample(service, client));
      const { memory, slowest } = samples.at(-1) ?? { memory: 0, slowest: 0 };
      say(
        `${Math.round(client.now / 1000)} s: ${operations.length} requests, ${Math.round(memory)} MiB, p99 ${Math.round(slowest)} ms`,
      );
    }
    over.abort();
    await Promise.all([...loading, disturbing]);
    service.isFaulty = false;
    const final = await settled(client, { informers, subscribers, listings });
    left.abort();
    await Promise.all(watching);
    const violations = check({
      seed: 0,
      scenario: 'soak',
      operations,
      listings,
      watches: informers.map((one) => one.record()),
      subscriptions: subscribers.map((one) => one.record()),
      final: final.items,
      finalHead: final.rv,
    });
    const unknown = operations.filter(({ outcome }) => outcome === 'unknown').length;
    const counts = {
      'single-object requests': operations.length,
      'of unknown outcome': unknown,
      lists: listings.length,
      'messages of subscriptions': subscribers.reduce((sum, one) => sum + one.record().messages.length, 0),
      'faults on the line': service.faults,
      kills: service.starts - 1,
    };
    return { samples, violations, counts };
  } finally {
    await service.close();
  }
}

/** Kills the service now and then, and lets the line fail for some time and rest for some, until it is over. */
async function disturb(
  service: SoakedService,
  { restartEvery, signal }: { readonly restartEvery: number; readonly signal: AbortSignal },
): Promise<void> {
  for (let second = 1; !signal.aborted; second += 1) {
    await sleep(1_000);
    service.isFaulty = second % (FAULTY + CALM) < FAULTY;
    if (second % restartEvery !== 0) continue;
    await service.kill();
    // Nothing is promised of a start whose database does not answer.
    service.isFaulty = false;
    await service.start();
  }
}

async function sample(service: SoakedService, client: SoakClient): Promise<Sample> {
  const latencies = client.latencies.sort((left, right) => left - right);
  client.latencies = [];
  const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0;
  const measured = await service.measure();
  return { at: client.now / 1000, ...measured, median: at(0.5), slowest: at(0.99) };
}

interface Readers {
  readonly informers: readonly SoakInformer[];
  readonly subscribers: readonly SoakSubscriber[];
  readonly listings: Listing[];
}

/** What there is when every informer and every subscriber has seen it, or had the time to: the checks judge then. */
async function settled(client: SoakClient, { informers, subscribers, listings }: Readers): Promise<Listing> {
  let last: Listing | undefined;
  for (let second = 0; second < SETTLES; second += 1) {
    last = (await list(client, 'final', '')) ?? last;
    const readers = [...informers, ...subscribers].map((one) => one.record());
    const { items = [] } = last ?? {};
    if (second > RESTS && readers.every(({ asked, cache = [] }) => isKnown(items, asked, cache))) break;
    await sleep(1_000);
  }
  if (last === undefined) throw new Error(`the service answered no list within ${SETTLES} s`);
  listings.push(last);
  return last;
}

function isKnown(items: readonly Snapshot[], asked: Asked, cache: readonly Snapshot[]): boolean {
  const selected = items.filter(selectorOf(asked)).map(({ object, rv }) => `${object}@${rv}`);
  const known = new Set(cache.map(({ object, rv }) => `${object}@${rv}`));
  return known.size === selected.length && selected.every((one) => known.has(one));
}
