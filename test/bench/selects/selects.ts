import { openTable } from '../../support/store/table.ts';
import { SELECTS_GROWTH_BAR } from '../bars.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Options } from '../options.ts';
import { type Report, round } from '../report.ts';
import { CACHE } from '../toolchain.ts';
import { LookedUpTable } from './looked-up-table.ts';
import { SELECTS_CASES, type SelectsCase } from './selects-cases.ts';
import { selectsFolder } from './selects-seed.ts';

/** Look-ups of one case at one size: at most so many, and no more once they took so long; but five at least. */
const FULL = { lookUps: 200, milliseconds: 15_000 };
const QUICK = { lookUps: 20, milliseconds: 3_000 };
const FEWEST = 5;

/** `npm run bench -- selects`: what it takes to tell who selects an object, however many select others. */
export async function benchSelects(options: Options, _inputs: Inputs, report: Report): Promise<void> {
  for (const asked of SELECTS_CASES) {
    const tables: LookedUpTable[] = [];
    try {
      for (const selectors of options.selectors) {
        report.progress(`selects: ${selectors.toLocaleString('en')} selectors, ${asked.name}`);
        const opened = await openTable(await selectsFolder(CACHE, asked, selectors));
        tables.push(new LookedUpTable({ ...opened, asked, selectors }));
      }
      await race(tables, { asked, effort: options.quick ? QUICK : FULL, report });
    } finally {
      for (const table of tables) await table.stop();
    }
  }
}

interface Race {
  readonly asked: SelectsCase;
  readonly effort: typeof FULL;
  readonly report: Report;
}

/** All sizes in turns, so that what slows the machine down slows all of them down. */
async function race(
  tables: readonly LookedUpTable[],
  { asked: { name, pairsDiffer }, effort, report }: Race,
): Promise<void> {
  for (let turn = 0; turn < effort.lookUps; turn += 1) {
    const slow = tables.filter(({ spent }) => spent > effort.milliseconds && turn >= FEWEST);
    for (const table of tables) if (!slow.includes(table)) await table.lookUp();
  }
  const figures = [];
  for (const table of tables) figures.push(await table.figures());
  for (const figure of figures) report.add({ bench: 'selects', selectors: name, ...figure });
  const [first, last] = [figures[0], figures.at(-1)];
  if (first === undefined || last === undefined || first === last) return;
  const slower = round(last.p50 / first.p50);
  report.add({
    bench: 'selects growth',
    selectors: name,
    from: first.of,
    to: last.of,
    slower,
    // Where nothing tells selectors apart each row is read.
    ...(pairsDiffer && { bar: SELECTS_GROWTH_BAR, reached: slower <= SELECTS_GROWTH_BAR }),
  });
}
