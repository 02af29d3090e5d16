import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { root } from '../../../infra/bundle/index.ts';
import { connect } from '../../../lib/client/objects/index.ts';
import type { OpenedConsole } from '../../console/console-page.ts';
import { percentile } from '../report.ts';
import type { Observed, Received } from './observed.ts';
import { nameOf, PODS } from './pods.ts';

const KB = 1_000;
const MB = 1_000_000;
const EVERYTHING = '/pods?ns=*';
const HALF = '/pods?ns=*&q=tier%3Dfrontend';
/** The objects that leave the set one after the other. */
const LEAVERS = 20;
/** The time for which rows are scrolled, in ms. */
const SCROLLING = 5_000;
const TYPED = 'tier=backend,environment in (production,qa)';
/** The time between two looks at what a page noted, in ms. */
const LOOK = 20;

/** The script that notes when a page paints. */
export async function observerScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test/console/pages/observe.ts')],
    bundle: true,
    format: 'iife',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

/** The figures of the first page of a new console: the time until rows were painted, and what was sent. */
export async function coldRows({ open }: OpenedConsole, before: string): Promise<{ ms: number; kb: number }> {
  const { page, close } = await open(EVERYTHING, { before });
  const ms = await noted(page, ({ rows }) => rows);
  const files = (await received(page)).filter(({ url }) => /\.(js|css)$/.test(url));
  await close();
  return { ms, kb: files.reduce((sum, { bytes }) => sum + bytes, 0) / KB };
}

/** Opens a set of 500 objects. Returns the time from the last byte of its rows until they were painted, in ms. */
export async function ownTime({ open }: OpenedConsole, before: string): Promise<number> {
  const { page, close } = await open(HALF, { before });
  const painted = await noted(page, ({ rows }) => rows);
  const list = (await received(page)).find(({ url }) => url.includes('limit=500'));
  await close();
  if (list === undefined) throw new Error('the page listed no rows');
  return painted - list.end;
}

/** Lets objects leave a set. Returns the p95 of the time from the answer to the write until the row is marked, in ms. */
export async function leavingTime({ open }: OpenedConsole, before: string, url: string): Promise<number> {
  const pods = connect({ url }).objects(PODS, { namespace: 'default' });
  const { page, close } = await open(HALF, { before });
  await page.getByText('Live at').waitFor();
  const times: number[] = [];
  for (let at = 0; at < LEAVERS; at += 1) {
    // The rows at the top are in view.
    const name = nameOf(at * 2);
    await pods.patch(name, { metadata: { labels: { tier: 'gone' } } });
    const answered = Date.now();
    const marked = await noted(page, ({ leaving }) => leaving[name]);
    times.push(Math.max(0, marked - answered));
    await pods.patch(name, { metadata: { labels: { tier: 'frontend' } } });
  }
  await close();
  return percentile(times, 0.95);
}

/** Types a selector. Returns the p95 of the time from a key press until the page was painted, in ms. */
export async function pressTime(page: Page): Promise<number> {
  await page.keyboard.press('/');
  await page.keyboard.type(TYPED);
  const presses = await noted(page, ({ presses: all }) => (all.length > TYPED.length ? all : undefined));
  return percentile(presses, 0.95);
}

/** Scrolls through the rows for five seconds. Returns the number of frames that took more than 50 ms. */
export function slowFrames(page: Page): Promise<number> {
  return page.evaluate(`observer.scroll(${SCROLLING})`);
}

/** The heap of a page after a garbage collection, in MB. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / MB;
}

function received(page: Page): Promise<Received[]> {
  return page.evaluate('observer.received()');
}

/** Waits until a page has noted something, and returns it. */
async function noted<Value>(page: Page, read: (observed: Observed) => Value | undefined): Promise<Value> {
  for (;;) {
    const value = read(await page.evaluate<Observed>('observer.observed'));
    if (value) return value;
    await page.waitForTimeout(LOOK);
  }
}
