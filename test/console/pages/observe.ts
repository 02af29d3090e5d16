/** Notes when a page paints. The bench of the console runs it in the page before the page's own scripts. */
import type { Observed, Observer } from '../../bench/console/observed.ts';

/** The pixels by which each frame scrolls. */
const STEP = 200;
const observed: Observed = { rows: 0, leaving: {}, presses: [] };
const slowFrames: number[] = [];
let hasRows = false;

/** A task that is posted during a frame runs after the frame was painted. */
function afterPaint(run: () => void): void {
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = run;
    port2.postMessage(null);
  });
}

new MutationObserver((records) => {
  if (!hasRows && document.querySelector('.virtual-drawn [role=row]') !== null) {
    hasRows = true;
    afterPaint(() => {
      observed.rows = performance.now();
    });
  }
  for (const { target } of records) {
    if (!(target instanceof Element) || !target.matches('.row.leave')) continue;
    observed.leaving[target.querySelector('.name')?.textContent ?? ''] ??= Date.now();
  }
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] });

addEventListener(
  'keydown',
  ({ timeStamp }) => afterPaint(() => observed.presses.push(performance.now() - timeStamp)),
  true,
);

new PerformanceObserver((list) => {
  slowFrames.push(...list.getEntries().map(({ startTime }) => startTime));
}).observe({ type: 'long-animation-frame' });

const observer: Observer = {
  observed,
  received: () =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map(
      ({ name, encodedBodySize, responseEnd }) => ({ url: name, bytes: encodedBodySize, end: responseEnd }),
    ),
  scroll: async (time) => {
    const box = document.querySelector('.virtual');
    if (box === null) throw new Error('the page has no rows');
    const began = performance.now();
    // The position is not read, because that would lay out the page within the frame.
    for (let top = STEP; performance.now() - began < time; top += STEP) {
      await new Promise(requestAnimationFrame);
      box.scrollTop = top;
    }
    // The observer hears of a frame after it.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return slowFrames.filter((start) => start > began).length;
  },
};
Object.assign(globalThis, { observer });
