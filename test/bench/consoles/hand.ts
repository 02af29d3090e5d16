/** A user's input: a key such as `Enter` or a scroll to the end, a click, or a text typed into a field. */
export type Input = { readonly key: string } | { readonly click: string } | { readonly text: string };

/** A typed word: a run of the characters that label keys and values have. `env=qa` has two. */
const WORD = /[\w./-]+/g;

/** The steps of an input. A key and a click are one step each; a text has a step for each word. */
export function stepsOf(input: Input): number {
  return 'text' in input ? (input.text.match(WORD)?.length ?? 0) : 1;
}

/** The time that a person takes for an input, in ms. */
export interface Pace {
  /** For a key press. */
  readonly key: number;
  /** For the way of the pointer to its target. */
  readonly pointing: number;
}

/** A user who types 55 words a minute. Source: the keystroke-level model (Card, Moran and Newell, 1980). */
export const PERSON: Pace = { key: 200, pointing: 1_100 };
/** A script. */
export const HASTE: Pace = { key: 0, pointing: 0 };

/** What a user did for one task, and how long the user waited for the program. */
export class Hand {
  readonly pace: Pace;
  #steps = 0;
  #began: number | undefined;
  #own = 0;

  constructor(pace: Pace) {
    this.pace = pace;
  }

  get steps(): number {
    return this.#steps;
  }

  /** Counts an input that is about to be sent. The first one starts the clock. */
  note(input: Input): void {
    this.start();
    this.#steps += stepsOf(input);
  }

  /** Starts the clock without an input, for example when a write has been answered. */
  start(): void {
    this.#began ??= performance.now();
  }

  /** Starts the clock anew: what was done so far led to the view, and does not count as time. */
  restart(): void {
    this.#began = performance.now();
    this.#own = 0;
  }

  /** Does what takes the user's own time, for which the program is not to blame. */
  async takes(act: () => Promise<unknown>): Promise<void> {
    const began = performance.now();
    await act();
    this.#own += performance.now() - began;
  }

  /** The seconds that the user waited for the program since the clock was started. */
  waited(): number {
    if (this.#began === undefined) throw new Error('a task was done without an input');
    return (performance.now() - this.#began - this.#own) / 1_000;
  }
}
