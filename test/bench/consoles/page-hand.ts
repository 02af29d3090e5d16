import type { Locator, Page } from 'playwright-core';
import type { Hand } from './hand.ts';

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

  /** Clicks what the user sees. It waits until that is there, as a user does. */
  async click(target: Locator): Promise<void> {
    this.#hand.note({ click: String(target) });
    await target.click();
  }
}

/** Waits until an element is in the window, not only in the document. */
export async function onScreen(target: Locator): Promise<void> {
  await target.waitFor();
  const page = target.page();
  const element = await target.elementHandle();
  await page.waitForFunction(
    (seen) => {
      const { top, bottom, left, right } = (seen as Element).getBoundingClientRect();
      return bottom > top && top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
    },
    element,
    { polling: 'raf' },
  );
}
