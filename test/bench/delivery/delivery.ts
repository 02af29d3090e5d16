import { setTimeout as sleep } from 'node:timers/promises';
import { BYSTANDER_BAR, CROWD_GROWTH_BAR } from '../bars.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Options } from '../options.ts';
import { percentile, type Report, round } from '../report.ts';
import { Bystander } from './bystander.ts';
import { allSynced, subscribe } from './crowd.ts';
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
 * `npm run bench -- delivery`: what a synced subscriber waits for its events while a crowd subscribes at once, beside
 * what it waits alone, in one run; and how long the crowd takes.
 */
export async function benchDelivery(options: Options, _inputs: Inputs, report: Report): Promise<void> {
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
  const first = performance.now();
  await sleep(alone);
  const [began, cpuBefore] = [performance.now(), await service.cpu()];
  const creating = subscribe(service, subscriptions);
  await Promise.all([creating, crowdSynced(service, subscriptions, report)]);
  const [ended, cpuAfter] = [performance.now(), await service.cpu()];
  await bystander.end();
  const crowd = { subscriptions, synced: ended - began, cpu: cpuAfter - cpuBefore };
  reportMeeting(crowd, [bystander.waits(first, began), bystander.waits(began, ended)], report);
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

function reportMeeting(
  { subscriptions, synced, cpu }: Crowd,
  [alone, during]: readonly [readonly number[], readonly number[]],
  report: Report,
): void {
  const isTold = (wait: number) => wait !== Number.POSITIVE_INFINITY;
  const [told, before] = [during.filter(isTold), alone.filter(isTold)];
  const p99 = percentile(told, 0.99);
  const lost = alone.length + during.length - told.length - before.length;
  report.add({
    bench: 'delivery',
    subscriptions,
    events: told.length,
    lost,
    aloneP50: round(percentile(before, 0.5)),
    aloneP99: round(percentile(before, 0.99)),
    p50: round(percentile(told, 0.5)),
    p99: round(p99),
    slower: round(p99 / percentile(before, 0.99)),
    bar: BYSTANDER_BAR,
    reached: lost === 0 && p99 <= BYSTANDER_BAR,
    synced: round(synced),
    each: round(synced / subscriptions),
    cpuEach: round(cpu / subscriptions),
  });
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
