import { TIMING } from '../../../lib/platform/index.ts';
import { openTable } from '../../support/store/table.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { RELABELLED, seededFolder } from '../list/list-seed.ts';
import type { Options } from '../options.ts';
import type { Report } from '../report.ts';
import { CACHE } from '../toolchain.ts';
import { CountedTable, WAYS, type Way } from './counted-table.ts';

/** Counts of one way at one size: at most so many, and no more once they took so long; but three at least. */
const FULL = { counts: 50, milliseconds: 20_000 };
const QUICK = { counts: 5, milliseconds: 2_000 };
const FEWEST = 3;
/** Where nothing else is said. A hundred thousand is what one request counts at most. */
const SIZES = { full: [1_000, 100_000], quick: [1_000] };

/**
 * `npm run bench -- facets`: how many objects have which labels, told by the API, beside a client that lists the same
 * objects and counts.
 */
export async function benchFacets(options: Options, _inputs: Inputs, report: Report): Promise<void> {
  const { counts, milliseconds } = options.quick ? QUICK : FULL;
  for (const objects of options.facets ?? (options.quick ? SIZES.quick : SIZES.full)) {
    report.progress(`facets: ${objects.toLocaleString('en')} objects, made once and kept`);
    const opened = await openTable(await seededFolder(CACHE, objects));
    const now = RELABELLED + TIMING.relabelWindow * 4;
    const table = new CountedTable({ table: opened.table, stop: opened.stop, objects, now });
    try {
      // In turns, so that what slows the machine down slows all of them down.
      for (let turn = 0; turn < counts; turn += 1) {
        for (const way of Object.keys(WAYS) as Way[]) {
          if (turn < FEWEST || table.spent(way) < milliseconds) await table.count(way);
        }
      }
      for (const figure of await table.figures()) report.add({ bench: 'facets', ...figure });
    } finally {
      await table.stop();
    }
  }
}
