import type { Page } from 'playwright-core';

/** The longest time that a user waits for a sight, in ms. */
const PATIENCE = 30_000;

/** What a user looks for in a page. */
export interface Sight {
  /** A CSS selector. By default, every element without other elements in it. */
  readonly css?: string;
  /** The whole text of the element, or a pattern. By default, any. */
  readonly text?: string | RegExp;
}

/** A place in the window, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Finds an element in a frame of the page: the first one that is as wanted and in the window. Returns its middle. A target
 * also stands still since the last frame, and is enabled.
 */
const FIND = `({ css, text, pattern, isTarget }) => {
  const all = [...document.querySelectorAll(css ?? '*')];
  const found = all.find((element) => {
    if (css === null && element.childElementCount > 0) return false;
    const own = element.textContent.trim();
    if (text === null ? !new RegExp(pattern).test(own) : own !== text) return false;
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return bottom > top && top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
  });
  if (found === undefined) return undefined;
  const { top, bottom, left, right } = found.getBoundingClientRect();
  const place = { x: (left + right) / 2, y: (top + bottom) / 2 };
  const { x, y } = window.lastPlace ?? {};
  window.lastPlace = place;
  return !isTarget || (x === place.x && y === place.y && !found.disabled) ? place : undefined;
}`;

/** Waits until a sight is in the window. Resolves to its middle. */
export function find(page: Page, sight: Sight): Promise<Point> {
  return look(page, sight, false);
}

/** Waits until a user can click a sight. Resolves to its middle. */
export function target(page: Page, sight: Sight): Promise<Point> {
  return look(page, sight, true);
}

/** Looks at each frame of the page, as a user does. The driver's own waiting looks more and more seldom. */
async function look(page: Page, { css, text }: Sight, isTarget: boolean): Promise<Point> {
  const isWhole = typeof text === 'string';
  const wanted = {
    css: css ?? null,
    text: isWhole ? text : null,
    pattern: isWhole ? '' : (text?.source ?? ''),
    isTarget,
  };
  const found = await page.evaluate<Point | null>(`new Promise((resolve) => {
    const end = performance.now() + ${PATIENCE};
    const look = () => {
      const place = (${FIND})(${JSON.stringify(wanted)});
      if (place !== undefined || performance.now() > end) resolve(place ?? null);
      else requestAnimationFrame(look);
    };
    look();
  })`);
  if (found === null) throw new Error(`the page does not show ${text ?? css}`);
  return found;
}
