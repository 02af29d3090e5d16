import { GROWTH_BAR } from '../bars.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { createWorkload, meanProbability, type Workload, type WorkloadName } from '../inputs/workload.ts';
import type { Options } from '../options.ts';
import { Peer } from '../peer.ts';
import { median, type Report, round } from '../report.ts';
import { winnowMatch } from '../toolchain.ts';

/**
 * The size whose values each workload keeps; the others have more or fewer values, so that an event matches about as
 * many subscriptions. C cannot be scaled so: what a selector without a value matches grows with the selectors.
 */
const BASE = { A: 10_000, B: 100_000, D: 100_000 } as const;
const SIZES = [10_000, 100_000, 1_000_000];
const QUICK_SIZES = [10_000, 100_000];
const STREAM = 'U';

/** Our index by itself, at sizes a hundredfold apart, each round all sizes in turn. */
export async function runGrowth(options: Options, inputs: Inputs, report: Report): Promise<void> {
  const sizes = options.quick ? QUICK_SIZES : SIZES;
  for (const name of options.workloads) {
    if (name !== 'C') await growOne(name, { sizes, quick: options.quick, inputs, report });
  }
}

interface GrowthOptions {
  readonly sizes: readonly number[];
  readonly quick: boolean;
  readonly inputs: Inputs;
  readonly report: Report;
}

interface Entry {
  readonly size: number;
  readonly workload: Workload;
  readonly peer: Peer;
  readonly rates: number[];
  matchesPerEvent: number;
}

async function growOne(
  name: keyof typeof BASE,
  { sizes, quick, inputs, report }: GrowthOptions,
): Promise<void> {
  const kind = winnowMatch();
  if ('missing' in kind) return;
  const entries = sizes.map(
    (size): Entry => ({
      size,
      workload: scaled(name, size),
      peer: new Peer(kind.name, kind.command),
      rates: [],
      matchesPerEvent: 0,
    }),
  );
  try {
    for (const { peer, workload, size } of entries) {
      report.progress(
        `growth ${name}, ${size.toLocaleString('en')}: builds, with ${workload.cardinality} values`,
      );
      await peer.build(await inputs.subscriptions(workload, size));
    }
    const count = (quick ? 4_000 : 20_000) * (name === 'A' ? 1 : 4);
    const rounds = quick ? 3 : 5;
    for (let part = 0; part <= rounds; part++) {
      for (const entry of entries) {
        await turn(entry, await inputs.events(entry.workload, { stream: STREAM, part, count }));
      }
    }
    reportGrowth(name, entries, report);
  } finally {
    for (const { peer } of entries) peer.stop();
  }
}

/** Part 0 only warms up. */
async function turn(entry: Entry, file: string): Promise<void> {
  await entry.peer.events(file);
  const { events, nanoseconds } = await entry.peer.run(60_000);
  entry.rates.push((events * 1e9) / nanoseconds);
  entry.matchesPerEvent = (await entry.peer.found(events)).matches / events;
}

function reportGrowth(name: WorkloadName, entries: readonly Entry[], report: Report): void {
  const rates = entries.map(({ rates: [, ...timed] }) => median(timed));
  const [first = Number.NaN] = rates;
  const even = isEven(entries.map((entry) => entry.matchesPerEvent));
  for (const [at, { size, workload, matchesPerEvent }] of entries.entries()) {
    const ours = rates[at] ?? Number.NaN;
    const slower = round(first / ours);
    const last = size === SIZES.at(-1);
    report.add({
      bench: 'growth',
      workload: name,
      stream: STREAM,
      subscriptions: size,
      cardinality: workload.cardinality,
      matchesPerEvent: round(matchesPerEvent),
      ours: Math.round(ours),
      slower,
      ...(last && { bar: GROWTH_BAR, reached: even && slower <= GROWTH_BAR }),
    });
  }
}

/** Sizes can be compared only where an event matches as much at each, within a tenth. */
function isEven(matches: readonly number[]): boolean {
  return Math.max(...matches) <= Math.min(...matches) * 1.1;
}

/** The workload with as many values as keep the matches per event where they are at the base. */
function scaled(name: keyof typeof BASE, size: number): Workload {
  const base = createWorkload(name);
  if (size === BASE[name]) return base;
  const wanted = (meanProbability(base) * BASE[name]) / size;
  let low = 1;
  let high = 4_000_000;
  while (high / low > 1.01 && high - low > 1) {
    const middle = Math.round(Math.sqrt(low * high));
    if (meanProbability(createWorkload(name, middle)) > wanted) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return createWorkload(name, high);
}
