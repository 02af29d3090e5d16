import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CORPORA, faultsOf } from './corpora.ts';

/** Prints the texts that break a rule of plain English. Usage: `npm run lint:english -- [--corpus docs] [PATH…]`. */
const { values, positionals } = parseArgs({
  options: { corpus: { type: 'string' } },
  allowPositionals: true,
});
const root = join(import.meta.dirname, '../../..');
for (const [name, corpus] of Object.entries(CORPORA)) {
  if (values.corpus !== undefined && values.corpus !== name) continue;
  const faults = await faultsOf(corpus, root);
  const chosen = faults.filter(
    ({ path }) => positionals.length === 0 || positionals.some((part) => path.includes(part)),
  );
  for (const { path, rule, text } of chosen) console.log(`${path}: ${rule}: ${text}`);
  console.log(`${name}: ${chosen.length} faults`);
}
