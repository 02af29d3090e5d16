/** Thrown where a mutant asks for ever. */
export class EndlessError extends Error {}

/** Which mutant is on in this process, and which of them were met. Instrumented files ask it at every switch. */
export class MutantSwitch {
  readonly #met = new Set<string>();
  #on: string | undefined;
  #asked = 0;
  #most = Number.POSITIVE_INFINITY;

  /** How often it was asked since {@link turn}. */
  get asked(): number {
    return this.#asked;
  }

  /** Whether it was asked more often than it was told to answer. */
  get isEndless(): boolean {
    return this.#asked > this.#most;
  }

  /** Turns one mutant on, or none; more than `most` questions until the next turn are taken for an endless loop. */
  turn(on: string | undefined, most = Number.POSITIVE_INFINITY): void {
    this.#on = on;
    this.#most = most;
    this.#asked = 0;
    this.#met.clear();
  }

  /** The mutants whose places were reached since the last turn. */
  met(): string[] {
    return [...this.#met];
  }

  /** @throws {EndlessError} it was asked too often. */
  is(id: string): boolean {
    this.#asked += 1;
    if (this.#asked > this.#most) throw new EndlessError('a mutant goes on for ever');
    if (this.#on === undefined) this.#met.add(id);
    return id === this.#on;
  }
}
