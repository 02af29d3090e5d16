import { parseArgs } from 'node:util';
import { describeMachine } from '../bench/machine.ts';
import { drawCurves } from './draw-curves.ts';
import { PHASES } from './phases/index.ts';
import { type SoakRow, soak } from './soak.ts';

const USAGE = `npm run soak -- [--minutes 60] [--phase ${PHASES.map(({ name }) => name).join(',')}] [--kills 30] [--jumps 10] [--subscriptions 2000] [--tallies 1000] [--objects 10000] [--restart-every SECONDS]`;
/** What an hour has; a shorter run has less, unless it is told. */
const HOUR = { kills: 30, jumps: 10, subscriptions: 2_000, tallies: 1_000, objects: 10_000 };
const SHOWN = 40;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    phase: { type: 'string', multiple: true },
    kills: { type: 'string' },
    jumps: { type: 'string' },
    subscriptions: { type: 'string' },
    tallies: { type: 'string' },
    objects: { type: 'string' },
    'restart-every': { type: 'string', default: '90' },
  },
});
const minutes = Number(values.minutes);
const names = PHASES.map(({ name }) => name);
const phases = values.phase?.flatMap((text) => text.split(',')) ?? names;
const scaled = (what: keyof typeof HOUR, least: number) =>
  Number(values[what] ?? Math.max(least, Math.round(HOUR[what] * Math.min(1, minutes / 60))));
const amounts = {
  kills: scaled('kills', 3),
  jumps: scaled('jumps', 3),
  subscriptions: scaled('subscriptions', 20),
  tallies: scaled('tallies', 20),
  objects: scaled('objects', 100),
  restartEvery: Number(values['restart-every']),
};
const isUnderstood = [minutes, ...Object.values(amounts)].every((amount) => amount > 0);
if (!isUnderstood || !phases.every((name) => names.includes(name))) throw new Error(USAGE);

const began = new Date();
const { rows, samples, violations } = await soak({
  minutes,
  phases,
  amounts,
  say: (text) => console.log(text),
});
const { cpu, cores, memory, node } = await describeMachine();
console.log(drawCurves(samples));
for (const { check, message, evidence } of violations.slice(0, SHOWN)) {
  console.log(`VIOLATION of ${check}: ${message}\n  ${evidence.join('\n  ')}`);
}
console.log(`\n${began.toISOString()}, ${cores} × ${cpu}, ${memory}, Node ${node}\n`);
console.log(tableOf(rows));
console.log(violations.length === 0 ? '\nNo guarantee was violated.' : `\n${violations.length} violations.`);
process.exit(violations.length === 0 ? 0 : 1);

/** As Markdown, for test/soak/README.md. */
function tableOf(all: readonly SoakRow[]): string {
  const lines = all.map((row) =>
    [`\`${row.name}\``, row.minutes.toFixed(1), row.done, row.checked, row.violations.length].join(' | '),
  );
  const head = ['phase | minutes | what happened | what was checked | violations', '---|---|---|---|---'];
  return [...head, ...lines].map((text) => `| ${text} |`).join('\n');
}
