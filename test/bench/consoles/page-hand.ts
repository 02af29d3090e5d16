import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Hand } from './hand.ts';
import { find, type Point, type Sight, target } from './page-eyes.ts';

/** More pixels than any page has. */
const FAR = 100_000;
/** The time between two events of the moving pointer, in ms. */
const FRAME = 16;

/** A user's hand at a page: it notes each input before it sends it. */
export class PageHand {
  readonly #page: Page;
  readonly #hand: Hand;
  #at: Point = { x: 0, y: 0 };

  constructor(page: Page, hand: Hand) {
    this.#page = page;
    this.#hand = hand;
  }

  async press(key: string): Promise<void> {
    this.#hand.note({ key });
    await this.#key(() => this.#page.keyboard.press(key));
  }

  async type(text: string): Promise<void> {
    this.#hand.note({ text });
    for (const character of text) await this.#key(() => this.#page.keyboard.type(character));
  }

  /** Clicks what the user sees, as soon as it is there and can be clicked. */
  async click(sight: Sight): Promise<void> {
    await this.#pointAt(sight, { click: String(sight.text ?? sight.css) });
    await this.#hand.takes(() => this.#page.mouse.down());
    await this.#page.mouse.up();
  }

  async doubleClick(sight: Sight): Promise<void> {
    const input = { click: String(sight.text ?? sight.css) };
    this.#hand.note(input);
    await this.#pointAt(sight, input);
    await this.#page.mouse.dblclick(this.#at.x, this.#at.y);
  }

  /** Scrolls to the end of what is around an element: one step, as a key is. */
  async scrollDown(within: Sight): Promise<void> {
    await this.#pointAt(within, { key: 'End' });
    await this.#page.mouse.wheel(0, FAR);
  }

  async #key(send: () => Promise<void>): Promise<void> {
    await this.#hand.takes(() => sleep(this.#hand.pace.key));
    await send();
  }

  /** Moves the pointer to what the user sees. The user begins before it can be clicked, and follows if it moves. */
  async #pointAt(sight: Sight, input: Parameters<Hand['note']>[0]): Promise<void> {
    const seen = await find(this.#page, sight);
    this.#hand.note(input);
    await this.#hand.takes(() => this.#travel(seen));
    const now = await target(this.#page, sight);
    if (now.x !== seen.x || now.y !== seen.y) await this.#move(now);
  }

  /** Moves the pointer as a hand does: it is slow at the beginning and at the end of its way. */
  async #travel(to: Point): Promise<void> {
    const began = performance.now();
    const { x, y } = this.#at;
    for (let part = 0; part < 1; ) {
      await sleep(FRAME);
      part = Math.min(1, (performance.now() - began) / Math.max(1, this.#hand.pace.pointing));
      const way = part ** 3 * (10 - 15 * part + 6 * part ** 2);
      await this.#move({ x: x + (to.x - x) * way, y: y + (to.y - y) * way });
    }
  }

  async #move(to: Point): Promise<void> {
    this.#at = to;
    await this.#page.mouse.move(to.x, to.y);
  }
}
