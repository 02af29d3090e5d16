/** A user's input: a key such as `Enter` or a scroll to the end, a click, or a text typed into a field. */
export type Input = { readonly key: string } | { readonly click: string } | { readonly text: string };

/** A typed word: a run of the characters that label keys and values have. `env=qa` has two. */
const WORD = /[\w./-]+/g;

/** The steps of an input. A key and a click are one step each; a text has a step for each word. */
export function stepsOf(input: Input): number {
  return 'text' in input ? (input.text.match(WORD)?.length ?? 0) : 1;
}

/** What a user did for one task, and since when. */
export class Hand {
  #steps = 0;
  #began: number | undefined;

  get steps(): number {
    return this.#steps;
  }

  /** Whether the clock runs. */
  get hasBegun(): boolean {
    return this.#began !== undefined;
  }

  /** Notes an input that is about to be sent. The first one starts the clock. */
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
  }

  /** Seconds since the clock was started. */
  elapsed(): number {
    if (this.#began === undefined) throw new Error('a task was done without an input');
    return (performance.now() - this.#began) / 1_000;
  }
}
