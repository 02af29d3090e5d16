import { OutOfTimeError, ThrottledError, UnavailableError } from '../../../lib/store/index.ts';
import type { Answer, Process } from './process.ts';
import type { Surroundings } from './surroundings.ts';

export interface WireRequest<Result> {
  readonly what: string;
  /** Attempts of the SDK. */
  readonly attempts: number;
  /** Whether it retries after throttling. */
  readonly isPatient?: boolean;
  /**
   * Performs one attempt in the service. It may be called twice, because an SDK repeats a request without an answer.
   */
  readonly perform: (done: (result: Result) => void) => void;
  /** Ends the request when aborted; an attempt that was sent may still take effect. */
  readonly signal?: AbortSignal | undefined;
}

const FIRST_BACKOFF = 25;
// Created once: most of an error's cost is its stack, and nothing reads these stacks.
const THROTTLED = new ThrottledError('throttled');
const NO_ANSWER = new UnavailableError('no answer');
const ANSWER_LOST = new UnavailableError('the answer was lost');
const GIVEN_UP = new OutOfTimeError('given up');

/** Sends a request as an SDK does, over a network that loses requests and answers, to a service that throttles. */
export function request<Result>(
  world: Surroundings,
  process: Process,
  wanted: WireRequest<Result>,
): Promise<Result> {
  return process.ask(wanted.what, (answer: Answer<Result>) =>
    new Exchange(world, process, { ...wanted, answer }).begin(),
  );
}

/** Throttling after an attempt without an answer: the outcome of that attempt is unknown. */
export class ThrottledLaterError extends ThrottledError {}

const THROTTLED_LATER = new ThrottledLaterError('throttled, after an attempt without an answer');

function throttledAt(attempt: number): ThrottledError {
  return attempt === 0 ? THROTTLED : THROTTLED_LATER;
}

/** The latency of one direction in ms: mostly low, at times high. */
function latency({ chance }: Surroundings): number {
  const draw = chance.next();
  if (draw < 0.9) return 0.5 + chance.next() * 3;
  return draw < 0.99 ? 5 + chance.next() * 25 : 30 + chance.next() * 170;
}

/** One request with all its attempts, until it is answered or given up. */
class Exchange<Result> {
  readonly #world: Surroundings;
  readonly #process: Process;
  readonly #request: WireRequest<Result> & { readonly answer: Answer<Result> };
  #isOver = false;

  constructor(
    world: Surroundings,
    process: Process,
    request: WireRequest<Result> & { readonly answer: Answer<Result> },
  ) {
    this.#world = world;
    this.#process = process;
    this.#request = request;
  }

  begin(): void {
    const { signal } = this.#request;
    const giveUp = () => this.#fail(GIVEN_UP);
    signal?.addEventListener('abort', giveUp, { once: true });
    if (signal?.aborted) {
      giveUp();
    } else {
      this.#send(0);
    }
  }

  #send(attempt: number): void {
    if (this.#isOver) return;
    const { chance, scheduler, faults } = this.#world;
    const fault = chance.next();
    const isLost = fault >= faults.throttle && fault < faults.throttle + faults.lostRequest;
    const isHeard = fault >= faults.throttle + faults.lostRequest + faults.lostAnswer;
    if (fault < faults.throttle) {
      this.#throttle(attempt);
    } else if (isLost) {
      this.#lose(attempt);
    } else {
      scheduler.after(latency(this.#world), () => this.#perform(attempt, isHeard));
    }
  }

  #throttle(attempt: number): void {
    if (this.#request.isPatient) {
      this.#retry(attempt, THROTTLED);
    } else {
      this.#process.wakeAfter(latency(this.#world), () => this.#fail(throttledAt(attempt)));
    }
  }

  /** Loses an attempt. It may arrive late, after the next attempt was sent. */
  #lose(attempt: number): void {
    const { chance, scheduler, faults } = this.#world;
    if (chance.chance(faults.lateRequest)) {
      scheduler.after(chance.within(faults.lateBy), () => this.#request.perform(() => {}));
    }
    this.#retry(attempt, NO_ANSWER);
  }

  #perform(attempt: number, isHeard: boolean): void {
    this.#request.perform((result) => {
      if (isHeard) {
        this.#world.scheduler.wakeAfter(latency(this.#world), () => this.#end(() => result));
      } else {
        this.#retry(attempt, ANSWER_LOST);
      }
    });
  }

  #retry(attempt: number, error: Error): void {
    const pause = FIRST_BACKOFF * 2 ** attempt * (0.5 + this.#world.chance.next() / 2);
    const isLast = attempt + 1 === this.#request.attempts;
    this.#process.wakeAfter(pause, () => (isLast ? this.#fail(error) : this.#send(attempt + 1)));
  }

  #fail(error: Error): void {
    if (this.#isOver) return;
    this.#world.trace?.(`${this.#process.name}: ${this.#request.what} fails: ${error.name}`);
    this.#end(() => {
      throw error;
    });
  }

  #end(read: () => Result): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#request.answer(read);
  }
}
