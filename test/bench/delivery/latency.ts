import { mapBounded } from '../../../lib/platform/index.ts';
import { Inbox } from '../../support/service/inbox.ts';
import { DELIVERY_BARS } from '../bars.ts';
import type { Options } from '../options.ts';
import { percentile, type Report, round } from '../report.ts';
import { allSynced } from './crowd.ts';
import { measureFloor } from './floor.ts';
import { type BenchedService, startBenched } from './service.ts';

const SUBSCRIPTIONS = '/apis/winnow.dev/v1/namespaces/default/subscriptions';
const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';
const AT_ONCE = 20;
/** Writes of each kind, one after the other; fewer where each is told so many. */
const WRITES = { full: 60, quick: 10 };
const MOST_MESSAGES = 10_000;
/** How many subscriptions an object of that label concerns, where there are so many. */
const REACHES = { one: 1, ten: 10, hundred: 100, all: Number.POSITIVE_INFINITY } as const;

interface Measured {
  readonly subscriptions: number;
  readonly matching: number;
  readonly waits: readonly number[];
}

/**
 * What a subscriber waits for its event when nothing else happens: from a write's answer until its message was received,
 * by how many subscriptions there are and how many of them the write concerns, beside the same of a bare row and a bare
 * message in the same run.
 */
export async function benchLatency({ subscribers, quick }: Options, report: Report): Promise<void> {
  const service = await startBenched();
  try {
    const writes = quick ? WRITES.quick : WRITES.full;
    const listener = await Listener.start(service);
    const measured: Measured[] = [];
    let there = 1;
    for (const subscriptions of subscribers) {
      await subscribeMore(service, { from: there, to: subscriptions, report });
      there = Math.max(there, subscriptions);
      for (const [reach, matching] of reachesAmong(subscriptions)) {
        report.progress(`delivery: ${subscriptions} subscriptions, ${matching} concerned`);
        const times = Math.max(5, Math.min(writes, Math.floor(MOST_MESSAGES / matching)));
        measured.push({ subscriptions, matching, waits: await listener.waits(reach, times) });
      }
    }
    listener.close();
    reportAll(measured, await measureFloor(service, writes), report);
  } finally {
    await service.stop();
  }
}

/** By label, how many of so many subscriptions it concerns: each number once. */
function reachesAmong(subscriptions: number): ReadonlyMap<string, number> {
  const reaches = Object.entries(REACHES).map(
    ([reach, most]) => [reach, Math.min(most, subscriptions)] as const,
  );
  return new Map(reaches.filter(([, count], at) => reaches.findIndex(([, other]) => other === count) === at));
}

/** Of the subscription of that index: it matches what concerns more subscriptions than that. */
function selectorOf(index: number): string {
  const reaches = Object.entries(REACHES).filter(([, most]) => index < most);
  return `reach in (${reaches.map(([reach]) => reach).join(',')})`;
}

interface More {
  readonly from: number;
  readonly to: number;
  readonly report: Report;
}

async function subscribeMore(service: BenchedService, { from, to, report }: More): Promise<void> {
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  await mapBounded(indexes, AT_ONCE, (index) =>
    service.http.post(SUBSCRIPTIONS, {
      metadata: { name: `s${index}` },
      spec: { resource: { resource: 'configmaps' }, labelSelector: selectorOf(index), start: 'now' },
    }),
  );
  await allSynced(service, Math.max(from, to), async (synced) =>
    report.progress(`delivery: ${synced} are synced`),
  );
}

/** The first subscription, whom every change concerns. */
class Listener {
  readonly #service: BenchedService;
  readonly #inbox: Inbox;
  readonly #told = new Map<string, () => void>();

  private constructor(service: BenchedService) {
    this.#service = service;
    this.#inbox = new Inbox({ ...service, name: 's0', namespace: 'default' });
  }

  static async start(service: BenchedService): Promise<Listener> {
    const listener = new Listener(service);
    const spec = { resource: { resource: 'configmaps' }, labelSelector: selectorOf(0) };
    await listener.#inbox.subscribe(spec);
    listener.#inbox.read(({ object }) => listener.#told.get(object.metadata?.name ?? '')?.());
    return listener;
  }

  /** Ms from the answer of each of so many writes, one after the other, until its message was received. */
  async waits(reach: string, times: number): Promise<number[]> {
    const waits: number[] = [];
    for (let time = 0; time < times; time += 1) {
      const name = `c-${crypto.randomUUID()}`;
      const { promise, resolve } = Promise.withResolvers<number>();
      this.#told.set(name, () => resolve(performance.now()));
      await this.#service.http.post(CONFIGMAPS, { metadata: { name, labels: { reach } } });
      const answered = performance.now();
      waits.push(Math.max(0, (await promise) - answered));
    }
    return waits;
  }

  close(): void {
    this.#inbox.close();
  }
}

function reportAll(measured: readonly Measured[], floors: readonly number[], report: Report): void {
  const floor = percentile(floors, 0.5);
  const [alone] = measured;
  const one = percentile(alone?.waits ?? [], 0.5);
  for (const { subscriptions, matching, waits } of measured) {
    const p50 = percentile(waits, 0.5);
    const bar = barOf(subscriptions, matching);
    const ratio = { floor: p50 / floor, one: p50 / one };
    report.add({
      bench: 'delivery latency',
      subscriptions,
      matching,
      writes: waits.length,
      p50: round(p50),
      p99: round(percentile(waits, 0.99)),
      floor: round(floor),
      'times the floor': round(ratio.floor),
      'times one': round(ratio.one),
      ...(bar !== undefined && { bar: bar.times, of: bar.of, reached: ratio[bar.of] <= bar.times }),
    });
  }
}

function barOf(subscriptions: number, matching: number) {
  return DELIVERY_BARS.find((bar) => bar.subscriptions === subscriptions && bar.matching === matching);
}
