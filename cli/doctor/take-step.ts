import { Fault, UncheckedError } from '../connection/index.ts';

/** How a step went. */
export interface Outcome {
  readonly step: string;
  readonly seconds: number;
  readonly result: 'ok' | 'wrong' | 'not checked';
  /** What was seen, what is wrong, or why it was not checked. */
  readonly note: string;
  /** With `wrong` only. */
  readonly fault?: Fault;
}

/** Hears how the examination goes. */
export interface Listener {
  begin(step: string): void;
  end(outcome: Outcome): void;
}

export interface TakenStep {
  readonly name: string;
  /**
   * Gives what it saw, in a few words. Throws a Fault where something is not as it has to be, an UncheckedError
   * where that cannot be told.
   */
  run(): Promise<string>;
  /** Aborted when the user wants to stop. */
  readonly signal: AbortSignal;
  readonly listener: Listener;
  /** Why it is not taken at all, if it is not. */
  readonly blocked: string | undefined;
}

/** Takes a step, or says why not, and tells the listener. */
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
    what: `the answer is not what an API gives: ${error instanceof Error ? error.message : error}`,
    advice:
      'Does something in front of the endpoint change answers? If not, this is a bug of Winnow: report it',
  });
}
