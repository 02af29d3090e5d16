/**
 * `npm run test:clients [-- NAME...]`: real clients of Kubernetes, each built or installed from its registry, with
 * its defaults against a local Winnow. `--write` writes what it finds into docs/clients.md.
 */
import { parseArgs } from 'node:util';
import { CLIENTS } from './clients.ts';
import { type Report, tryClient } from './try-client.ts';
import { writeTable } from './write-table.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((name) => !CLIENTS.some((client) => client.name === name));
if (unknown.length > 0) {
  console.error(
    `no such client: ${unknown.join(', ')}. There are ${CLIENTS.map(({ name }) => name).join(', ')}`,
  );
  process.exit(1);
}

const reports: Report[] = [];
for (const client of CLIENTS) {
  if (positionals.length === 0 || positionals.includes(client.name)) reports.push(await tryClient(client));
}
if (values.write) await writeTable(reports);

const outcomes = reports.flatMap((report) => report.outcomes ?? []);
const failed = outcomes.filter(({ error }) => error !== undefined).length;
const skipped = reports.filter((report) => report.missing !== undefined).length;
console.log(`\n${outcomes.length - failed} passed, ${failed} failed, ${skipped} clients skipped`);
// A library's program may leave a connection behind that would keep the process.
process.exit(failed > 0 ? 1 : 0);
