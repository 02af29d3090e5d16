import { setTimeout as sleep } from 'node:timers/promises';
import type { Sample } from './draw-curves.ts';
import { SoakClient } from './soak-client.ts';
import { type Judged, SoakLoad } from './soak-load.ts';
import { SoakedService } from './soaked-service.ts';

export interface SoakOptions {
  readonly minutes: number;
  /** Seconds between two kills of the service. */
  readonly restartEvery: number;
  say(text: string): void;
}

export interface Soaked extends Judged {
  readonly samples: readonly Sample[];
}

/** Seconds between two samples; of which the line fails for so many in a row, and then rests. */
const SAMPLE = 10;
const FAULTY = 40;
const CALM = 20;
/** Seconds until all is quiet, at least. */
const RESTS = 40;

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
    const load = await SoakLoad.begin(client, service.queues);
    const over = new AbortController();
    const disturbing = disturb(service, { restartEvery, signal: over.signal });
    const samples: Sample[] = [];
    for (const end = client.now + minutes * 60_000; client.now < end; ) {
      await sleep(SAMPLE * 1_000);
      service.assertRunning();
      samples.push(await sample(service, client));
      const { memory, slowest } = samples.at(-1) ?? { memory: 0, slowest: 0 };
      say(
        `${Math.round(client.now / 1000)} s: ${load.operations.length} requests, ${Math.round(memory)} MiB, p99 ${Math.round(slowest)} ms`,
      );
    }
    over.abort();
    await Promise.all([load.end(), disturbing]);
    service.isFaulty = false;
    const { violations, counts } = await load.judge(RESTS);
    const disturbed = { 'faults on the line': service.faults, kills: service.starts - 1 };
    return { samples, violations, counts: { ...counts, ...disturbed } };
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
