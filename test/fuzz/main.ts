import { parseArgs } from 'node:util';
import { fuzz, prepared } from './fuzz.ts';
import { sendMutated } from './send-mutated.ts';
import { SHAPES } from './shapes/index.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string' },
    shape: { type: 'string' },
    'most-ms': { type: 'string', default: '750' },
  },
});
const { minutes, most } = { minutes: Number(values.minutes), most: Number(values['most-ms']) };
if (!(minutes > 0) || !(most > 0)) {
  throw new Error('npm run fuzz -- --minutes 10 [--seed NUMBER | --shape NAME] [--most-ms MILLISECONDS]');
}

const { seed, shape } = values;
if (seed !== undefined) {
  const { fault, ...outcome } = await sendMutated(await prepared(SHAPES), SHAPES, Number(seed));
  console.log(outcome, fault ?? 'Nothing is wrong.');
  process.exit(fault === undefined ? 0 : 1);
}

const shapes = SHAPES.filter(({ name }) => shape === undefined || name.includes(shape));
if (shapes.length === 0) throw new Error(`no shape is called ${shape}`);
const first = Date.now() % 1_000_000_000;
console.log(`${shapes.length} shapes, then damaged requests from seed ${first} on`);
const { measured, served, mutated, statuses, findings } = await fuzz({
  shapes,
  minutes,
  seed: first,
  most,
  say: (text) => console.log(text),
});

const answers = new Map(served.map((one) => [one.shape, one]));
console.table(
  measured
    .toSorted((one, other) => other.cost - one.cost)
    .map(({ shape: name, bytes, status, cost, ratio, grown }) => ({
      shape: name,
      bytes,
      status,
      'cost, ms': Math.round(cost),
      'twice to once': Number(ratio.toFixed(1)),
      'grown, MB': Math.round(grown),
      'HTTP, ms': Math.round(answers.get(name)?.answer ?? 0),
      '/version, ms': Math.round(answers.get(name)?.version ?? 0),
    })),
);
console.log(`${mutated} damaged requests:`, statuses);
for (const finding of findings) console.log(`FINDING ${finding}`);
console.log(findings.length === 0 ? 'Nothing was found.' : `${findings.length} findings.`);
process.exit(findings.length === 0 ? 0 : 1);
