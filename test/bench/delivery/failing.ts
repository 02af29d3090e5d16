import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteQueueCommand } from '@aws-sdk/client-sqs';
import { mapBounded } from '../../../lib/platform/index.ts';
import { eventually } from '../../support/eventually.ts';
import { Inbox } from '../../support/service/inbox.ts';
import { FAILING_BAR } from '../bars.ts';
import type { Options } from '../options.ts';
import { percentile, type Report, round } from '../report.ts';
import { type BenchedService, startBenched } from './service.ts';

const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';
const FAILING = ['stalled', 'deleted', 'denied'] as const;
/** Of the others, whose queues are read. */
const READ = 10;
/** Subscriptions in all, writes with all queues well, as many again afterwards, and twice as many in between. */
const SIZES = { full: { subscriptions: 100, writes: 200 }, quick: { subscriptions: 20, writes: 20 } };
/** Ms between two writes. */
const EVERY = 200;
const AT_ONCE = 20;
/** Ms within which what was written is told, or lost. */
const LOST = 60_000;

/** Ms of each write, by each of those who are read. */
type Waits = readonly number[];

/**
 * What the others wait for what concerns all of them while one queue does not answer, one was deleted and one refuses,
 * beside what they wait in the same run before and after that.
 */
export async function benchFailing({ quick }: Options, report: Report): Promise<void> {
  const { subscriptions, writes } = quick ? SIZES.quick : SIZES.full;
  const service = await startBenched('faulty');
  try {
    const names = [...FAILING, ...Array.from({ length: subscriptions - 3 }, (_, index) => `s${index}`)];
    const inboxes = names.map((name) => new Inbox({ ...service, name, namespace: 'default' }));
    const spec = { resource: { resource: 'configmaps' } };
    await mapBounded(inboxes, AT_ONCE, (inbox) => inbox.subscribe(spec));
    const others = inboxes.slice(FAILING.length, FAILING.length + READ).map((inbox) => new Reader(inbox));
    const measure = async (what: string, times: number): Promise<Waits> => {
      report.progress(`delivery: ${subscriptions} subscriptions, ${what}`);
      return waitsOf(service, others, { what, times });
    };
    const before = await measure('all-well', writes);
    await fail(service, inboxes.slice(0, FAILING.length));
    const during = await measure('three-failing', 2 * writes);
    await service.fail({ stalled: [], denied: [] });
    await mapBounded(inboxes.slice(0, FAILING.length), 1, (inbox) => inbox.synced());
    const after = await measure('all-well-again', writes);
    for (const inbox of inboxes) inbox.close();
    reportWaits({ subscriptions, well: [...before, ...after], during }, report);
  } finally {
    await service.stop();
  }
}

/** From the next write on. */
async function fail(service: BenchedService, [stalled, deleted, denied]: readonly Inbox[]): Promise<void> {
  await service.fail({ stalled: [stalled?.queueUrl ?? ''], denied: [denied?.queueUrl ?? ''] });
  await deleted?.sqs.send(new DeleteQueueCommand({ QueueUrl: deleted.queueUrl }));
}

/** When each object's event was accepted by one queue, in ms since the epoch. */
class Reader {
  readonly told = new Map<string, number>();

  constructor(inbox: Inbox) {
    inbox.read(({ object, sentAt }) => this.told.set(object.metadata.name ?? '', sentAt));
  }
}

interface Writing {
  readonly what: string;
  readonly times: number;
}

async function waitsOf(
  service: BenchedService,
  readers: readonly Reader[],
  { what, times }: Writing,
): Promise<Waits> {
  const written = new Map<string, number>();
  for (let time = 0; time < times; time += 1) {
    const name = `${what}-${time}`;
    await service.http.post(CONFIGMAPS, { metadata: { name } });
    written.set(name, Date.now());
    await sleep(EVERY);
  }
  const all = [...written.keys()];
  const isTold = () => readers.every(({ told }) => all.every((name) => told.has(name)));
  await eventually('everything was told', isTold, LOST);
  return [...written].flatMap(([name, at]) =>
    readers.map(({ told }) => Math.max(0, (told.get(name) ?? 0) - at)),
  );
}

interface Measured {
  readonly subscriptions: number;
  readonly well: Waits;
  readonly during: Waits;
}

function reportWaits({ subscriptions, well, during }: Measured, report: Report): void {
  const [wellP99, p99] = [percentile(well, 0.99), percentile(during, 0.99)];
  report.add({
    bench: 'delivery beside failing queues',
    subscriptions,
    events: during.length,
    wellP50: round(percentile(well, 0.5)),
    wellP99: round(wellP99),
    p50: round(percentile(during, 0.5)),
    p99: round(p99),
    slower: round(p99 / wellP99),
    bar: FAILING_BAR,
    reached: p99 / wellP99 <= FAILING_BAR,
    wellWorst: Math.max(...well),
    worst: Math.max(...during),
  });
}
