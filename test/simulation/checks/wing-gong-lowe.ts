/** One request on one register, as a checker of linearizability sees it. */
export interface Step<State> {
  readonly invoked: number;
  /** Infinity: it never returned. */
  readonly returned: number;
  /** Whether it can change the state. One that cannot is taken as soon as it fits: that never rules anything out. */
  readonly changes: boolean;
  /** The place among the changes where it is known: they are taken in ascending order. */
  readonly order?: number;
  /** The state after it; undefined when its answer contradicts the state. */
  apply(state: State): State | undefined;
  describe(): string;
}

export interface Problem<State> {
  readonly initial: State;
  /** These took effect, each at one moment between its invocation and its return. */
  readonly steps: readonly Step<State>[];
  /** These took effect at any moment after their invocation, or never. */
  readonly maybe: readonly Step<State>[];
  /** Equal for equal states. */
  key(state: State): string;
}

/** Where the longest attempt to order the steps ended. */
export interface Stuck<State> {
  readonly state: State;
  /** Each of them contradicts the state, or is out of its known order. */
  readonly next: readonly Step<State>[];
  /** True: the search was given up, nothing is known. */
  readonly exhausted: boolean;
}

/** So many states are looked at before a search is given up. */
export const MOST_STATES = 20_000;

/**
 * Looks for an order of the steps that agrees with real time and with every answer; undefined: there is one.
 *
 * Source: Wing and Gong, "Testing and Verifying Concurrent Objects", with the memory of visited states of Lowe,
 * "Testing for Linearizability".
 */
export function findContradiction<State>(problem: Problem<State>): Stuck<State> | undefined {
  return new Search(problem).run();
}

/** What is taken, as bytes by the place of a step. */
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

  /** The steps that can come next: those invoked before any other that is left returned. */
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
