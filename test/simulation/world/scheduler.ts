/** An event at one moment. Returns true if it may have woken code that waits. */
type Happening = () => boolean;

interface Event {
  readonly at: number;
  readonly order: number;
  readonly happen: Happening;
}

/**
 * Virtual time: a queue of events by time. Nothing else causes anything, so a run depends on its seed alone. Between
 * two events all promises that can resolve do so: code under test waits for promises only.
 */
export class Scheduler {
  #now = 0;
  #order = 0;
  readonly #events: Event[] = [];

  /** Virtual milliseconds since the run began, with fractions. */
  get now(): number {
    return this.#now;
  }

  /** Schedules an event `milliseconds` from now that wakes no code: a change inside the simulated world. */
  after(milliseconds: number, happen: () => void): void {
    this.#add(milliseconds, () => {
      happen();
      return false;
    });
  }

  /** Schedules an event `milliseconds` from now for which code may wait. */
  wakeAfter(milliseconds: number, happen: () => void): void {
    this.#add(milliseconds, () => {
      happen();
      return true;
    });
  }

  /** The same as {@link wakeAfter}, as a promise for actors. */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.wakeAfter(milliseconds, resolve));
  }

  /** Runs everything up to `until`, or to the last event. */
  async run(until: number): Promise<void> {
    await othersToWait();
    for (let event = this.#events[0]; event !== undefined && event.at <= until; event = this.#events[0]) {
      this.#removeFirst();
      this.#now = event.at;
      if (event.happen()) await othersToWait();
    }
    this.#now = Math.max(this.#now, until);
  }

  #add(milliseconds: number, happen: Happening): void {
    const event = { at: this.#now + Math.max(0, milliseconds), order: this.#order++, happen };
    let place = this.#events.push(event) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = this.#events[parent];
      if (above === undefined || isBefore(above, event)) break;
      this.#events[place] = above;
      place = parent;
    }
    this.#events[place] = event;
  }

  /** Removes the first event from the heap: the last one sinks into its place. */
  #removeFirst(): void {
    const last = this.#events.pop();
    const count = this.#events.length;
    if (last === undefined || count === 0) return;
    let place = 0;
    for (let child = 1; child < count; child = 2 * place + 1) {
      const left = this.#events[child] as Event;
      const right = this.#events[child + 1];
      const least = right !== undefined && isBefore(right, left) ? right : left;
      if (isBefore(last, least)) break;
      this.#events[place] = least;
      place = least === left ? child : child + 1;
    }
    this.#events[place] = last;
  }
}

function isBefore(left: Event, right: Event): boolean {
  return left.at < right.at || (left.at === right.at && left.order < right.order);
}

/** Resolves when every promise that can resolve has: immediates run after all microtasks. */
function othersToWait(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
