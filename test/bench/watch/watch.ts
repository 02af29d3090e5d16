import { setTimeout as sleep } from 'node:timers/promises';
import { WatchStream } from '../../support/service/watch-stream.ts';
import { WATCH_BAR } from '../bars.ts';
import { type BenchedService, startBenched } from '../delivery/service.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Options } from '../options.ts';
import { percentile, type Report, round } from '../report.ts';

/** How far changes of a collection are apart, in ms and half as much more or less, and how many there are. */
const PACES = [
  { resource: 'configmaps', every: 100, changes: 400 },
  { resource: 'secrets', every: 1_000, changes: 60 },
  { resource: 'serviceaccounts', every: 3_000, changes: 25 },
  { resource: 'limitranges', every: 20_000, changes: 5 },
] as const;
type Pace = (typeof PACES)[number];
const QUICK = 5;
/** Until all is told, in ms. */
const PATIENCE = 30_000;

/**
 * `npm run bench -- watch`: from the moment that a write is sent until a watch tells of it, by how far changes are apart,
 * beside the write's own answer in the same run. One watch and one writer for each pace, all at once.
 */
export async function benchWatch({ quick }: Options, _inputs: Inputs, report: Report): Promise<void> {
  const service = await startBenched();
  try {
    const paces = PACES.map((pace) => ({ ...pace, changes: quick ? QUICK : pace.changes }));
    report.progress(
      `watch: ${paces.map(({ changes, every }) => `${changes} changes, one in ${every} ms`).join('; ')}`,
    );
    for (const line of await Promise.all(paces.map((pace) => watched(service, pace)))) report.add(line);
  } finally {
    await service.stop();
  }
}

interface Change {
  readonly name: string;
  readonly sent: number;
  readonly answered: number;
}

async function watched(
  { http }: BenchedService,
  { resource, every, changes }: Omit<Pace, 'changes'> & { changes: number },
) {
  const path = `/api/v1/namespaces/default/${resource}`;
  const told = new Map<string, number>();
  const from = await http.version(path);
  const stream = await WatchStream.open(`${http.url}${path}?watch=true&resourceVersion=${from}`, {
    onEvent: ({ object }) => told.set(object.metadata.name, performance.now()),
  });
  const made: Change[] = [];
  for (let index = 0; index < changes; index += 1) {
    await sleep(every * (0.5 + Math.random()));
    const name = `w${index}`;
    const sent = performance.now();
    await http.post(path, { metadata: { name } });
    made.push({ name, sent, answered: performance.now() });
  }
  await stream.until(() => told.size === changes, PATIENCE);
  stream.leave();
  const waits = made.map(({ name, sent }) => (told.get(name) ?? Number.POSITIVE_INFINITY) - sent);
  const answers = made.map(({ sent, answered }) => answered - sent);
  const p50 = percentile(waits, 0.5);
  return {
    bench: 'watch',
    every,
    changes,
    p50: round(p50),
    p99: round(percentile(waits, 0.99)),
    answered: round(percentile(answers, 0.5)),
    times: round(p50 / percentile(answers, 0.5)),
    ...(every <= WATCH_BAR.every && { bar: WATCH_BAR.p50, reached: p50 <= WATCH_BAR.p50 }),
  };
}
