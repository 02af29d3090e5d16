/** One request on one register, as a checker of linearizability sees it. */
export interface Step<State> {
  readonly invoked: number;
  /** Infinity: it never returned. */
  readonly returned: number;
  /**
   * Whether the step can change the state. A step that cannot is taken as soon as it fits, which never rules out an
   * order.
   */
  readonly changes: boolean;
  /** The place among the changes, if known: they are taken in ascending order. */
  readonly order?: number;
  /** The state after it; undefined if its answer contradicts the state. */
  apply(state: State): State | undefined;
  describe(): string;
}

export interface Problem<State> {
  readonly initial: State;
  /** Steps that took effect, each at one moment between its invocation and its return. */
  readonly steps: readonly Step<State>[];
  /** Steps that took effect at any moment after their invocation, or never. */
  readonly maybe: readonly Step<State>[];
  /** A key that is equal for equal states. */
  key(state: State): string;
}

/** The end of the longest attempt to order the steps. */
export interface Stuck<State> {
  readonly state: State;
  /** The possible next steps. Each contradicts the state, or is out of its known order. */
  readonly next: readonly Step<State>[];
  /** True: the search gave up, and the result is unknown. */
  readonly exhausted: boolean;
}

/** The number of states after which a search gives up. */
export const MOST_STATES = 20_000;

/**
 * Searches for an order of the steps that agrees with real time and with every answer. Returns undefined if there is
 * one.
 *
 * Source: Wing and Gong, "Testing and Verifying Concurrent Objects", with the memory of visited states of Lowe,
 * "Testing for Linearizability".
 */
export function findContradiction<State>(problem: Problem<State>): Stuck<State> | undefined {
  return new Search(problem).run();
}

/** The steps taken so far, as one byte for each step. */
interface Taken {
  readonly steps: Uint8Array;
  readonly maybe: Uint8Array;
  readonly count: number;
}

class Search<State> {
  readonly #problem: Problem<State>;
  readonly #steps: readonly Step<State>[];
  readonly #visited = new Set<string>();
  #longest = -1;
  #stuck: Stuck<State> | undefined;

  constructor(problem: Problem<State>) {
    this.#problem = problem;
    this.#steps = problem.steps.toSorted((left, right) => left.invoked - right.invoked);
  }

  run(): Stuck<State> | undefined {
    const { initial, maybe } = this.#problem;
    const steps = new Uint8Array(this.#steps.length);
    const found = this.#visit({ steps, maybe: new Uint8Array(maybe.length), count: 0 }, initial);
    if (found) return undefined;
    const exhausted = this.#visited.size >= MOST_STATES;
    return { state: initial, next: [], ...this.#stuck, exhausted };
  }

  #visit(before: Taken, state: State): boolean {
    const taken = this.#takeReads(before, state);
    if (taken.count === this.#steps.length) return true;
    const key = `${taken.steps.join('')} ${taken.maybe.join('')} ${this.#problem.key(state)}`;
    if (this.#visited.has(key) || this.#visited.size >= MOST_STATES) return false;
    this.#visited.add(key);
    const { places, until } = this.#candidates(taken);
    this.#note(taken, state, places);
    return this.#tryChanges(taken, state, places) || this.#tryMaybe(taken, state, until);
  }

  #takeReads(before: Taken, state: State): Taken {
    const steps = before.steps.slice();
    let count = before.count;
    for (let more = true; more; ) {
      more = false;
      for (const place of this.#candidates({ ...before, steps }).places) {
        const step = this.#steps[place];
        if (step === undefined || step.changes || step.apply(state) === undefined) continue;
        steps[place] = 1;
        count += 1;
        more = true;
      }
    }
    return { ...before, steps, count };
  }

  /** The steps that can come next: those invoked before the first return among the remaining steps. */
  #candidates({ steps }: Taken): { places: number[]; until: number } {
    const places: number[] = [];
    let until = Number.POSITIVE_INFINITY;
    for (let place = steps.indexOf(0); place >= 0 && place < steps.length; place += 1) {
      const step = this.#steps[place];
      if (step === undefined || steps[place] === 1) continue;
      if (step.invoked > until) break;
      until = Math.min(until, step.returned);
      places.push(place);
    }
    return { places, until };
  }

  #tryChanges(taken: Taken, state: State, places: readonly number[]): boolean {
    const nextOrder = this.#nextOrder(taken);
    return places.some((place) => {
      const step = this.#steps[place];
      if (step?.changes !== true || (step.order ?? nextOrder) > nextOrder) return false;
      const after = step.apply(state);
      if (after === undefined) return false;
      const steps = taken.steps.with(place, 1);
      return this.#visit({ ...taken, steps, count: taken.count + 1 }, after);
    });
  }

  #tryMaybe(taken: Taken, state: State, until: number): boolean {
    return this.#problem.maybe.some((step, place) => {
      if (taken.maybe[place] === 1 || step.invoked > until) return false;
      const after = step.apply(state);
      return after !== undefined && this.#visit({ ...taken, maybe: taken.maybe.with(place, 1) }, after);
    });
  }

  #nextOrder({ steps }: Taken): number {
    return this.#steps.reduce(
      (least, { order }, place) =>
        steps[place] === 0 && order !== undefined ? Math.min(least, order) : least,
      Number.POSITIVE_INFINITY,
    );
  }

  #note({ count }: Taken, state: State, places: readonly number[]): void {
    if (count <= this.#longest) return;
    this.#longest = count;
    const next = places.flatMap((place) => this.#steps[place] ?? []);
    this.#stuck = { state, next, exhausted: false };
  }
}
