import { join } from 'node:path';
import { bundlePage, root } from '../../../infra/bundle/index.ts';
import { chromiumPath, closeBrowser } from '../../console/browser.ts';
import { openConsoleBefore } from '../../console/console-page.ts';
import { CONSOLE_BARS } from '../bars.ts';
import { startBenched } from '../delivery/service.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Options } from '../options.ts';
import { median, type Report, round } from '../report.ts';
import {
  coldRows,
  heapOf,
  leavingTime,
  observerScript,
  ownTime,
  pressTime,
  slowFrames,
} from './page-figures.ts';
import { createPods } from './pods.ts';
import { startReplay } from './replay.ts';

const ROUNDS = 5;
const OBJECTS = 1_000;
const CHANGES = 200;
const KB = 1_000;

type Figures = Record<keyof typeof CONSOLE_BARS, number>;

/** `npm run bench -- console`: the budgets of the console's page in Chromium. It ends with exit code 1 above a budget. */
export async function benchConsole({ quick }: Options, _inputs: Inputs, report: Report): Promise<void> {
  chromiumPath();
  const service = await startBenched('newest');
  const { url } = service.http;
  try {
    report.progress(`console: creating ${OBJECTS} pods`);
    await createPods(url, OBJECTS);
    const sizes = await transferred();
    const before = await observerScript();
    const rounds: Figures[] = [];
    for (let turn = 0; turn < (quick ? 1 : ROUNDS); turn += 1) {
      report.progress(`console: round ${turn + 1}`);
      rounds.push({ ...sizes, ...(await few(url, before)), ...(await many(url, before)) });
    }
    for (const [what, budget] of Object.entries(CONSOLE_BARS)) {
      const value = median(rounds.map((figures) => figures[what as keyof Figures]));
      const reached = value <= budget;
      if (!reached) process.exitCode = 1;
      report.add({ bench: 'console', what, value: round(value), budget, reached });
    }
  } finally {
    await closeBrowser();
    await service.stop();
  }
}

async function transferred() {
  const { files } = await bundlePage(join(root, 'console'));
  const sum = (ending: string) =>
    Array.from(files)
      .filter(([path]) => path.endsWith(ending))
      .reduce((bytes, [, { body, gzipped = body }]) => bytes + gzipped.length, 0) / KB;
  return { 'all script, KB': sum('.js'), 'fonts, KB': sum('.woff2') };
}

/** The figures of sets of 500 and 1,000 objects. */
async function few(url: string, before: string) {
  const opened = await openConsoleBefore(url);
  try {
    const { ms, kb } = await coldRows(opened, before);
    return {
      'script and style of the first view, KB': kb,
      'cold link to rows of 1,000 objects, ms': ms,
      'last byte of 500 rows to paint, ms': await ownTime(opened, before),
      'answer of a write to the row that leaves, p95, ms': await leavingTime(opened, before, url),
    };
  } finally {
    await opened.console.stop();
  }
}

/** The figures of 10,000 rows. */
async function many(url: string, before: string) {
  const replay = await startReplay(url);
  const { console, open } = await openConsoleBefore(replay.url);
  try {
    const { page, close } = await open('/pods?ns=*', { before });
    await page.getByText('10,000 objects').waitFor();
    await page.getByText('Live at').waitFor();
    const frames = await slowFrames(page);
    const heap = await heapOf(page);
    replay.rate = CHANGES;
    const press = await pressTime(page);
    await close();
    return {
      'frames above 50 ms in 5 s of scrolling 10,000 rows': frames,
      'heap with 10,000 rows, MB': heap,
      'key press to paint during 200 changes a second, p95, ms': press,
    };
  } finally {
    await console.stop();
    await replay.stop();
  }
}
