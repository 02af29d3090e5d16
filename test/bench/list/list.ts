import { TIMING } from '../../../lib/platform/index.ts';
import { countRequests } from '../../costs/count-requests.ts';
import { openTable } from '../../support/store/table.ts';
import { LIST_GROWTH_BAR } from '../bars.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Options } from '../options.ts';
import { type Report, round } from '../report.ts';
import { CACHE } from '../toolchain.ts';
import { ListedTable, type Temperature } from './list-case.ts';
import { LIST_CASES, type ListCase } from './list-objects.ts';
import { RELABELLED, seededFolder } from './list-seed.ts';
import { benchWrites } from './list-writes.ts';

/** Lists of one kind at one size: at most so many, and no more once they took so long; but three at least. */
const FULL = { lists: 100, milliseconds: 15_000 };
const QUICK = { lists: 5, milliseconds: 2_000 };

/** What time it is for the lists, so that all relabels are past the window, or within it. */
const WINDOWS = {
  empty: RELABELLED + TIMING.relabelWindow * 4,
  full: RELABELLED + TIMING.relabelWindow / 2,
} as const;

/** `npm run bench -- list`: what LIST reads, whatever the size of the collection, and what writes cost. */
export async function benchList(options: Options, _inputs: Inputs, report: Report): Promise<void> {
  const effort = options.quick ? QUICK : FULL;
  const tables = await openTables(options.objects, report);
  try {
    for (const [window, now] of Object.entries(WINDOWS)) {
      for (const table of tables) table.now = now;
      for (const listed of LIST_CASES) {
        for (const temperature of ['cold', 'warm'] as const) {
          report.progress(`list ${listed.selector}, ${temperature}, window ${window}`);
          await race(tables, { listed, temperature, window, effort, report });
        }
      }
    }
  } finally {
    for (const table of tables) await table.stop();
  }
  await benchWrites(report);
  for (const [request, used] of Object.entries(await countRequests())) {
    report.add({ bench: 'list, units of requests', request, ...used });
  }
}

async function openTables(sizes: readonly number[], report: Report): Promise<ListedTable[]> {
  const tables: ListedTable[] = [];
  for (const objects of sizes) {
    report.progress(`list: ${objects.toLocaleString('en')} objects, made once and kept`);
    const { table, stop } = await openTable(await seededFolder(CACHE, objects));
    tables.push(new ListedTable({ table, stop, objects }));
  }
  return tables;
}

interface Race {
  readonly listed: ListCase;
  readonly temperature: Temperature;
  readonly window: string;
  readonly effort: typeof FULL;
  readonly report: Report;
}

/** All sizes in turns, so that what slows the machine down slows all of them down. */
async function race(tables: readonly ListedTable[], options: Race): Promise<void> {
  const { listed, temperature, window, effort, report } = options;
  for (const table of tables) await table.begin(listed, temperature);
  for (let turn = 0; turn < effort.lists; turn += 1) {
    const slow = tables.filter((table) => table.spent > effort.milliseconds && turn >= 3);
    for (const table of tables) if (!slow.includes(table)) await table.list();
  }
  const figures = [];
  for (const table of tables) figures.push({ objects: table.objects, ...(await table.end()) });
  for (const figure of figures) report.add({ bench: `list, window ${window}`, ...figure });
  const [first, last] = [figures[0], figures.at(-1)];
  if (first === undefined || last === undefined || first === last) return;
  const slower = round(last.p50 / first.p50);
  // What grows with the collection by its nature has no bar.
  const fixed =
    listed.sparsest(first.objects) === listed.sparsest(last.objects) && listed.sparsest(1) !== undefined;
  report.add({
    bench: `list growth, window ${window}`,
    selector: listed.selector,
    process: temperature,
    from: first.objects,
    to: last.objects,
    slower,
    ...(fixed && { bar: LIST_GROWTH_BAR, reached: slower <= LIST_GROWTH_BAR }),
  });
}
