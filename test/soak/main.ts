import { parseArgs } from 'node:util';
import { drawCurves } from './draw-curves.ts';
import { soak } from './soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    'restart-every': { type: 'string', default: '90' },
  },
});
const minutes = Number(values.minutes);
const restartEvery = Number(values['restart-every']);
if (!(minutes > 0) || !(restartEvery > 0)) {
  throw new Error('npm run soak -- --minutes 10 [--restart-every SECONDS]');
}

const { samples, violations, counts } = await soak({
  minutes,
  restartEvery,
  say: (text) => console.log(text),
});
console.log(drawCurves(samples));
console.log(
  Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', '),
);
for (const { check, message, evidence } of violations) {
  console.log(`VIOLATION of ${check}: ${message}\n  ${evidence.join('\n  ')}`);
}
console.log(violations.length === 0 ? 'No guarantee was violated.' : `${violations.length} violations.`);
process.exit(violations.length === 0 ? 0 : 1);
