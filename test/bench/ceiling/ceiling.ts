import { createStore, type Store } from '../../../lib/store/index.ts';
import { createClock } from '../../simulation/world/clock.ts';
import { CALM } from '../../simulation/world/faults.ts';
import { Process } from '../../simulation/world/process.ts';
import { World } from '../../simulation/world/world.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Options } from '../options.ts';
import { percentile, type Report, round } from '../report.ts';
import { fill, type Load, loadsOf } from './load.ts';
import { DYNAMODB, NEW_TABLE_WRITES, Partitions } from './partitions.ts';
import { throttledTable } from './throttled-table.ts';

/** The bytes of an object's row that do not compress. With its labels and keys, its row has 1 KB, 2 KB or 4 KB at most. */
const SIZES = { '1 KB': 300, '2 KB': 1_300, '4 KB': 3_300 } as const;
/** The most requests of a load that the table may throttle, as a part of them. */
const MOST_THROTTLED = 0.001;
/** The part at which a load is given up: its rate is too high. */
const HOPELESS = 0.05;
/** The virtual time of a load, in ms. It counts after the first part, in which the first second of capacity is used up. */
const WARM_UP = 4_000;
const MEASURED = 10_000;
/** Functions that run side by side. */
const PROCESSES = 32;
/** The rates between which the ceiling is, in writes a second, and how exactly it is found. */
const RATES = [50, 1_000] as const;
const EXACTNESS = 1.03;
const SEED = 1;

/** What one rate of a load did. */
interface Outcome {
  readonly throttled: number;
  readonly failed: number;
  /** The write units of each write, in the table and its indexes. */
  readonly units: number;
  /** The times of the writes that were answered, in ms. */
  readonly times: readonly number[];
  /** The partitions by the part of their capacity that was used, the most first. */
  readonly used: readonly (readonly [key: string, part: number])[];
}

/**
 * `npm run bench -- ceiling`: how many writes a second one collection takes until the table throttles. The writes are
 * those of the store on a simulated DynamoDB, in virtual time.
 */
export async function benchCeiling(options: Options, _inputs: Inputs, report: Report): Promise<void> {
  const sizes = Object.entries(SIZES).slice(0, options.quick ? 1 : undefined);
  for (const [size, bytes] of sizes) {
    for (const load of loadsOf(bytes)) {
      report.progress(`ceiling: ${load.what}, ${size}`);
      const { rate, outcome } = await findCeiling(load, bytes, (text) =>
        report.progress(`ceiling:   ${text}`),
      );
      const [[first = '', part = 0] = [], [second = '', next = 0] = []] = outcome.used;
      report.add({
        bench: 'ceiling',
        load: load.what,
        row: size,
        'writes a second': Math.round(rate),
        'new table': Math.round(Math.min(rate, NEW_TABLE_WRITES / outcome.units)),
        'units a write': round(outcome.units),
        'p50, ms': round(percentile(outcome.times, 0.5)),
        'p99, ms': round(percentile(outcome.times, 0.99)),
        'first limit': `${first} (${percent(part)})`,
        'next limit': `${second} (${percent(next)})`,
      });
    }
  }
}

/** Finds the highest rate at which the table throttles next to nothing. */
async function findCeiling(load: Load, bytes: number, tell: (text: string) => void) {
  let [low, high]: [number, number] = [...RATES];
  let outcome = await run(load, bytes, low);
  while (high / low > EXACTNESS) {
    const rate = Math.sqrt(low * high);
    const tried = await run(load, bytes, rate);
    const isBelow = tried.throttled <= MOST_THROTTLED && tried.failed === 0;
    tell(`${Math.round(rate)} a second: ${(tried.throttled * 100).toFixed(2)} % throttled`);
    if (isBelow) {
      [low, outcome] = [rate, tried];
    } else {
      high = rate;
    }
  }
  return { rate: low, outcome };
}

/** Sends the writes of a load at a rate, whether or not the earlier ones were answered. */
async function run(load: Load, bytes: number, rate: number): Promise<Outcome> {
  const world = new World({ seed: SEED, faults: CALM });
  const { scheduler, chance } = world;
  const partitions = new Partitions(DYNAMODB, () => scheduler.now);
  const count = { sent: 0, throttled: 0, failed: 0 };
  const times: number[] = [];
  let isThrottling = false;
  const sent = (isThrottled: boolean) => {
    count.sent += 1;
    if (isThrottled) count.throttled += 1;
  };
  const stores = Array.from({ length: PROCESSES }, (_, at) =>
    openStore(world, at, { partitions, sent, isThrottling: () => isThrottling }),
  );
  const [first] = stores;
  if (first === undefined) throw new Error('there is no process');
  const drive = async () => {
    await fill(first, bytes);
    isThrottling = true;
    const began = scheduler.now;
    const all: Promise<void>[] = [];
    let isMeasured = false;
    for (let number = 0; ; number += 1) {
      const due = began + (number * 1_000) / rate;
      if (due > began + WARM_UP + MEASURED) break;
      await scheduler.sleep(due - scheduler.now);
      if (!isMeasured && due >= began + WARM_UP) {
        isMeasured = true;
        partitions.reset();
        Object.assign(count, { sent: 0, throttled: 0 });
      }
      if (isMeasured && count.sent > 1_000 && count.throttled > HOPELESS * count.sent) break;
      all.push(send(stores[number % PROCESSES] ?? first, number, isMeasured));
    }
    // Each partition takes a little more than its capacity, for a request is taken whole.
    const used = partitions
      .busiest()
      .map(([key, seconds]) => [key, Math.min(1, (seconds * 1_000) / MEASURED)] as const);
    const units = partitions.writes / ((rate * MEASURED) / 1_000);
    const throttled = count.throttled / count.sent;
    if (throttled <= MOST_THROTTLED) await Promise.all(all);
    return { throttled, failed: count.failed, units, times, used };
  };
  const send = async (store: Store, number: number, isMeasured: boolean) => {
    const at = scheduler.now;
    try {
      await load.write(store, number, chance);
      if (isMeasured) times.push(scheduler.now - at);
    } catch {
      count.failed += 1;
    }
  };
  let outcome: Outcome | undefined;
  const driving = drive().then((result) => {
    outcome = result;
  });
  // A write that is never answered ends with its request, after half a minute at most.
  for (let until = 10_000; outcome === undefined; until += 10_000) await scheduler.run(until);
  await driving;
  return outcome;
}

const percent = (part: number) => `${Math.round(part * 100)} %`;

interface Throttling {
  readonly partitions: Partitions;
  readonly sent: (isThrottled: boolean) => void;
  /** While the objects are created, nothing is throttled. */
  readonly isThrottling: () => boolean;
}

function openStore(world: World, at: number, { partitions, sent, isThrottling }: Throttling): Store {
  const process = new Process(world, `function-${at}`);
  const plain = world.table.connect(process);
  const throttled = throttledTable(plain, { partitions, sent, rowOf: (key) => world.table.rows.get(key) });
  const chosen = () => (isThrottling() ? throttled : plain);
  const table = {
    ...plain,
    get: (...request) => chosen().get(...request),
    query: (...request) => chosen().query(...request),
    batchGet: (...request) => chosen().batchGet(...request),
    put: (...request) => chosen().put(...request),
    update: (...request) => chosen().update(...request),
    delete: (...request) => chosen().delete(...request),
    transact: (...request) => chosen().transact(...request),
  } satisfies typeof plain;
  const random = world.chance.fork().asRandom();
  return createStore({ table, clock: createClock(world, process), random, logger: process.logger });
}
