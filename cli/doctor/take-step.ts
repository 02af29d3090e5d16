import { Fault, UncheckedError } from '../connection/index.ts';

/** The outcome of a step. */
export interface Outcome {
  readonly step: string;
  readonly seconds: number;
  readonly result: 'ok' | 'wrong' | 'not checked';
  /** What the step found, what is wrong, or why the step was not run. */
  readonly note: string;
  /** Present only if `result` is `wrong`. */
  readonly fault?: Fault;
}

/** Receives the progress of an examination. */
export interface Listener {
  begin(step: string): void;
  end(outcome: Outcome): void;
}

export interface TakenStep {
  readonly name: string;
  /**
   * Returns what it found, in a few words. Throws a Fault if something is wrong, and an UncheckedError if it could not
   * check.
   */
  run(): Promise<string>;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  readonly listener: Listener;
  /** Why the step must not run; undefined if it may. */
  readonly blocked: string | undefined;
}

/** Runs a step unless it is blocked, and reports its outcome to the listener. */
export async function takeStep({ name, run, signal, listener, blocked }: TakenStep): Promise<Outcome> {
  const began = performance.now();
  if (blocked === undefined) listener.begin(name);
  const attempt = blocked === undefined ? await attemptStep(run, signal) : unchecked(blocked);
  const outcome = { step: name, seconds: (performance.now() - began) / 1_000, ...attempt };
  listener.end(outcome);
  return outcome;
}

type Attempt = Omit<Outcome, 'step' | 'seconds'>;

async function attemptStep(run: TakenStep['run'], signal: AbortSignal): Promise<Attempt> {
  try {
    return { result: 'ok', note: await run() };
  } catch (error) {
    if (signal.aborted) return unchecked('interrupted');
    if (error instanceof UncheckedError) return unchecked(error.message);
    const fault = error instanceof Fault ? error : unforeseen(error);
    return { result: 'wrong', note: fault.message, fault };
  }
}

const unchecked = (note: string): Attempt => ({ result: 'not checked', note });

function unforeseen(error: unknown): Fault {
  return new Fault({
    what: `the answer is not that of a Kubernetes API: ${error instanceof Error ? error.message : error}`,
    advice:
      'Does a proxy in front of the endpoint change answers? If not, this is a bug in Winnow: report it',
  });
}
