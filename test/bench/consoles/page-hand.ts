import type { Locator, Page } from 'playwright-core';
import type { Hand } from './hand.ts';

/** More pixels than any page has. */
const FAR = 100_000;

/** A user's hand at a page: it notes each input before it sends it. */
export class PageHand {
  readonly #page: Page;
  readonly #hand: Hand;

  constructor(page: Page, hand: Hand) {
    this.#page = page;
    this.#hand = hand;
  }

  async press(key: string): Promise<void> {
    this.#hand.note({ key });
    await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.#hand.note({ text });
    await this.#page.keyboard.type(text);
  }

  /**
   * Clicks what the user sees. It waits until that is there, as a user does. With the first input of a task, the user has
   * seen it before: the clock has the way of the pointer and the click, without the driver's checks before these.
   */
  async click(target: Locator): Promise<void> {
    const input = { click: String(target) };
    if (this.#hand.hasBegun) {
      this.#hand.note(input);
      return target.click();
    }
    const { x, y } = await middleOf(target);
    this.#hand.note(input);
    await this.#page.mouse.click(x, y);
  }

  async doubleClick(target: Locator): Promise<void> {
    this.#hand.note({ click: String(target) });
    this.#hand.note({ click: String(target) });
    await target.dblclick();
  }

  /** Scrolls to the end of what is around an element: one step, as a key is. */
  async scrollDown(within: Locator): Promise<void> {
    this.#hand.note({ key: 'End' });
    await within.hover();
    await this.#page.mouse.wheel(0, FAR);
  }
}

/** The middle of an element in the window, once the element stands still. The pointer stays where it is. */
async function middleOf(target: Locator): Promise<{ readonly x: number; readonly y: number }> {
  await target.scrollIntoViewIfNeeded();
  const element = await target.elementHandle();
  await element?.waitForElementState('stable');
  const box = await element?.boundingBox();
  if (!box) throw new Error(`${target} is not in the window`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Waits until an element is in the window, not only in the document. */
export async function onScreen(target: Locator): Promise<void> {
  await target.waitFor();
  const isInWindow = `(element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return bottom > top && top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
  }`;
  await target.page().waitForFunction(isInWindow, await target.elementHandle(), { polling: 'raf' });
}
