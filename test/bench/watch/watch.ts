import { setTimeout as sleep } from 'node:timers/promises';
import { WatchStream } from '../../support/service/watch-stream.ts';
import { WATCH_BARS } from '../bars.ts';
import { type BenchedService, startBenched } from '../delivery/service.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Options } from '../options.ts';
import { percentile, type Report, round } from '../report.ts';

/** How many watch a collection, and how far its changes are apart, in ms and half as much more or less. */
interface Pace {
  readonly resource: string;
  readonly watchers: number;
  readonly every: number;
  readonly changes: number;
}

/** Measured all at once. */
const ALONE: readonly Pace[] = [
  { resource: 'configmaps', watchers: 1, every: 100, changes: 400 },
  { resource: 'secrets', watchers: 1, every: 1_000, changes: 60 },
  { resource: 'serviceaccounts', watchers: 1, every: 3_000, changes: 25 },
  { resource: 'limitranges', watchers: 1, every: 20_000, changes: 5 },
];
/** Measured after them. */
const CROWD: Pace = { resource: 'endpoints', watchers: 100, every: 1_000, changes: 40 };
const QUICK = 5;
/** Until all is told, in ms. */
const PATIENCE = 30_000;

/**
 * `npm run bench -- watch`: from the moment that a write is sent until a watch tells of it, by how far changes are apart,
 * beside the write's own answer in the same run. First where writes wake the watches of their process, then through the
 * table only, as on AWS.
 */
export async function benchWatch(options: Options, _inputs: Inputs, report: Report): Promise<void> {
  if (!options['no-signal']) await benchSignal(options, report, true);
  await benchSignal(options, report, false);
}

async function benchSignal({ quick }: Options, report: Report, signal: boolean): Promise<void> {
  const service = await startBenched('newest', ...(signal ? [] : (['no-signal'] as const)));
  const run = (pace: Pace) => watched(service, { ...pace, changes: quick ? QUICK : pace.changes }, signal);
  try {
    report.progress(`watch, ${signal ? 'writes wake watches' : 'through the table'}: ${ALONE.map(named)}`);
    for (const line of await Promise.all(ALONE.map(run))) report.add(line);
    report.progress(`watch, ${CROWD.watchers} watches: ${named(CROWD)}`);
    report.add(await run(CROWD));
  } finally {
    await service.stop();
  }
}

const named = ({ changes, every }: Pace) => ` ${changes} changes, one in ${every} ms`;

interface Change {
  readonly name: string;
  readonly sent: number;
  readonly answered: number;
}

async function watched({ http }: BenchedService, pace: Pace, signal: boolean) {
  const { resource, watchers, every, changes } = pace;
  const path = `/api/v1/namespaces/default/${resource}`;
  const from = await http.version(path);
  const url = `${http.url}${path}?watch=true&resourceVersion=${from}`;
  const told = Array.from({ length: watchers }, () => new Map<string, number>());
  const open = (times: Map<string, number>) =>
    WatchStream.open(url, {
      onEvent: ({ type, object }) => {
        if (type === 'ADDED') times.set(object.metadata.name, performance.now());
      },
    });
  const streams = await Promise.all(told.map(open));
  const made: Change[] = [];
  for (let index = 0; index < changes; index += 1) {
    await sleep(every * (0.5 + Math.random()));
    const name = `w${index}`;
    const sent = performance.now();
    await http.post(path, { metadata: { name } });
    made.push({ name, sent, answered: performance.now() });
  }
  const isTold = () => told.every(({ size }) => size === changes);
  for (const stream of streams) {
    await stream.until(isTold, PATIENCE);
    stream.leave();
  }
  const waits = told.flatMap((times) =>
    made.map(({ name, sent }) => (times.get(name) ?? Number.POSITIVE_INFINITY) - sent),
  );
  const answers = made.map(({ sent, answered }) => answered - sent);
  const p50 = percentile(waits, 0.5);
  const bar = signal ? WATCH_BARS.signal : WATCH_BARS.table;
  return {
    bench: 'watch',
    signal,
    watchers,
    every,
    changes,
    p50: round(p50),
    p99: round(percentile(waits, 0.99)),
    answered: round(percentile(answers, 0.5)),
    times: round(p50 / percentile(answers, 0.5)),
    bar,
    reached: p50 <= bar,
  };
}
