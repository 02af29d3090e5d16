import { setTimeout as sleep } from 'node:timers/promises';
import { BYSTANDER_BAR, CROWD_GROWTH_BAR } from '../bars.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Options } from '../options.ts';
import { percentile, type Report, round } from '../report.ts';
import { Bystander } from './bystander.ts';
import { allSynced, subscribe } from './crowd.ts';
import { benchFailing } from './failing.ts';
import { benchLatency } from './latency.ts';
import { type BenchedService, startBenched } from './service.ts';

/** Ms for which the bystander is alone. */
const ALONE = { full: 15_000, quick: 3_000 };
/** Ms between two looks how many are synced: they cost the service something, too. */
const LOOK_EVERY = 2_500;

/** What one crowd took, in ms. */
interface Crowd {
  readonly subscriptions: number;
  /** Until all were synced, and CPU time of the service in it. */
  readonly synced: number;
  readonly cpu: number;
}

/**
 * `npm run bench -- delivery`: what a subscriber waits when nothing else happens, and beside queues that fail; then what a synced subscriber waits for its events while a crowd subscribes at once, beside
 * what it waits alone, in one run; and how long the crowd takes.
 */
export async function benchDelivery(options: Options, _inputs: Inputs, report: Report): Promise<void> {
  await benchFailing(options, report);
  if (options.failing) return;
  await benchLatency(options, report);
  const crowds: Crowd[] = [];
  for (const subscriptions of options.crowds) {
    const service = await startBenched();
    try {
      crowds.push(
        await meet(service, { subscriptions, alone: options.quick ? ALONE.quick : ALONE.full, report }),
      );
    } finally {
      await service.stop();
    }
  }
  reportGrowth(crowds, report);
}

interface Meeting {
  readonly subscriptions: number;
  readonly alone: number;
  readonly report: Report;
}

async function meet(service: BenchedService, { subscriptions, alone, report }: Meeting): Promise<Crowd> {
  const bystander = await Bystander.start(service);
  report.progress(`delivery: the bystander is alone for ${alone / 1_000} s`);
  const first = Date.now();
  await sleep(alone);
  const [began, cpuBefore] = [Date.now(), await service.cpu()];
  const creating = subscribe(service, subscriptions);
  await Promise.all([creating, crowdSynced(service, subscriptions, report)]);
  const [ended, cpuAfter] = [Date.now(), await service.cpu()];
  await bystander.end();
  const crowd = { subscriptions, synced: ended - began, cpu: cpuAfter - cpuBefore };
  const waits = {
    alone: bystander.waits('sent', first, began),
    sent: bystander.waits('sent', began, ended),
    received: bystander.waits('received', began, ended),
  };
  reportMeeting(crowd, waits, report);
  return crowd;
}

async function crowdSynced(service: BenchedService, subscriptions: number, report: Report): Promise<void> {
  let told = performance.now();
  await allSynced(service, subscriptions + 1, async (synced) => {
    report.progress(`delivery: ${synced - 1} of ${subscriptions} are synced`);
    await sleep(Math.max(0, told + LOOK_EVERY - performance.now()));
    told = performance.now();
  });
}

/** Ms that the bystander waited: alone and meanwhile until its queue had an event, and until it had it itself. */
interface Waits {
  readonly alone: readonly number[];
  readonly sent: readonly number[];
  readonly received: readonly number[];
}

function reportMeeting({ subscriptions, synced, cpu }: Crowd, waits: Waits, report: Report): void {
  const all = [...waits.alone, ...waits.sent];
  const lost = all.filter((wait) => wait === Number.POSITIVE_INFINITY).length;
  const p99 = at(waits.sent, 0.99);
  report.add({
    bench: 'delivery',
    subscriptions,
    events: waits.sent.length,
    lost,
    aloneP50: at(waits.alone, 0.5),
    aloneP99: at(waits.alone, 0.99),
    p50: at(waits.sent, 0.5),
    p99,
    slower: round(p99 / at(waits.alone, 0.99)),
    bar: BYSTANDER_BAR,
    reached: lost === 0 && p99 <= BYSTANDER_BAR,
    readP99: at(waits.received, 0.99),
    synced: round(synced),
    each: round(synced / subscriptions),
    cpuEach: round(cpu / subscriptions),
  });
}

function at(waits: readonly number[], part: number): number {
  return round(
    percentile(
      waits.filter((wait) => wait !== Number.POSITIVE_INFINITY),
      part,
    ),
  );
}

/** Of the largest crowd against the smallest: 1 where what each takes does not depend on how many there are. */
function reportGrowth(crowds: readonly Crowd[], report: Report): void {
  const [least] = crowds;
  const most = crowds.at(-1);
  if (least === undefined || most === undefined || least === most) return;
  const each = (what: 'synced' | 'cpu') =>
    round(most[what] / most.subscriptions / (least[what] / least.subscriptions));
  report.add({
    bench: 'delivery growth',
    from: least.subscriptions,
    to: most.subscriptions,
    time: each('synced'),
    cpu: each('cpu'),
    bar: CROWD_GROWTH_BAR,
    reached: each('cpu') <= CROWD_GROWTH_BAR,
  });
}
