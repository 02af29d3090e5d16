import { readFile, stat } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Bundle } from '../../../infra/bundle/bundle-functions.ts';
import { BUNDLE_BARS, COLD_BAR } from '../bars.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Options } from '../options.ts';
import { median, type Report, round } from '../report.ts';
import { COLD_CASES } from './cold-case.ts';
import { ColdRace } from './cold-race.ts';
import type { ColdStart } from './cold-start.ts';
import { openColdWorld } from './cold-world.ts';

/** Starts of each function, and as many of its empty handler. */
const ROUNDS = { full: 41, quick: 5 };

/** `npm run bench -- cold`: how large a function is, and how long its load and its first request take. */
export async function benchCold(options: Options, _inputs: Inputs, report: Report): Promise<void> {
  const world = await openColdWorld();
  try {
    for (const one of world.bundles.bundles) await reportSize(one, report);
    const races = COLD_CASES.map((one) => new ColdRace(world, one));
    for (const race of races) await race.prepare();
    const rounds = options.quick ? ROUNDS.quick : ROUNDS.full;
    for (let turn = 1; turn <= rounds; turn += 1) {
      report.progress(`cold: round ${turn} of ${rounds}`);
      for (const race of races) await race.takeTurns();
    }
    for (const race of races) {
      // A handler without a client is an empty file: there is nothing to hold a load against.
      const bar = race.clients ? COLD_BAR : undefined;
      reportTimes('cold load', race, { report, bar, time: ({ load }) => load });
    }
    for (const race of races) {
      const time = ({ load, first }: ColdStart) => load + first;
      reportTimes('cold load and first request', race, { report, bar: COLD_BAR, time });
    }
  } finally {
    await world.stop();
  }
}

async function reportSize({ name, loaded, bytes }: Bundle, report: Report): Promise<void> {
  const code = await Promise.all(loaded.map((file) => readFile(file)));
  const maps = await Promise.all(loaded.map((file) => stat(`${file}.map`)));
  report.add({
    bench: 'bundle',
    function: name,
    code: bytes,
    gzipped: gzipSync(Buffer.concat(code)).length,
    sourceMap: maps.reduce((sum, { size }) => sum + size, 0),
    bar: BUNDLE_BARS[name],
    reached: bytes <= BUNDLE_BARS[name],
  });
}

interface Measure {
  readonly report: Report;
  readonly bar: number | undefined;
  readonly time: (start: ColdStart) => number;
}

function reportTimes(bench: string, race: ColdRace, { report, bar, time }: Measure): void {
  const [ours, empty] = [median(race.ours.map(time)), median(race.theirs.map(time))];
  const slower = round(ours / empty);
  report.add({
    bench,
    function: race.name,
    ...race.requests,
    ours: round(ours),
    empty: round(empty),
    slower,
    ...(bar !== undefined && { bar, reached: slower <= bar }),
  });
}
