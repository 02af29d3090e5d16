import { type Access, Fault, UncheckedError } from '../connection/index.ts';
import { Examination, PATIENCE, type Patience, type Step } from './examination.ts';
import { ALL_STEPS, cleanUp } from './steps/index.ts';

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

export interface ExamineOptions {
  readonly access: Access;
  readonly listener: Listener;
  /** Aborted when the user wants to stop; what was made is still removed. */
  readonly interrupted: AbortSignal;
  readonly patience?: Partial<Patience>;
  /** All, by default. */
  readonly steps?: readonly Step[];
}

/** Takes the steps, and removes what they made, also after a failure or an interruption. Gives every outcome. */
export async function examine({
  access,
  listener,
  interrupted,
  patience,
  steps = ALL_STEPS,
}: ExamineOptions): Promise<Outcome[]> {
  const examination = new Examination({
    access,
    patience: { ...PATIENCE, ...patience },
    signal: interrupted,
  });
  const outcomes: Outcome[] = [];
  let blocked: string | undefined;
  for (const step of steps) {
    const outcome = await take(step, examination, listener, blocked);
    outcomes.push(outcome);
    if (interrupted.aborted) {
      blocked = 'interrupted';
    } else if (outcome.result !== 'ok' && step.required === true) blocked ??= `it needs "${step.name}"`;
  }
  const nothing = examination.touched ? undefined : 'nothing was made';
  outcomes.push(await take(cleanUp, examination.uninterrupted(), listener, nothing));
  return outcomes;
}

async function take(
  step: Step,
  examination: Examination,
  listener: Listener,
  blocked: string | undefined,
): Promise<Outcome> {
  const began = performance.now();
  if (blocked === undefined) listener.begin(step.name);
  const attempt = blocked === undefined ? await attemptStep(step, examination) : unchecked(blocked);
  const outcome = { step: step.name, seconds: (performance.now() - began) / 1_000, ...attempt };
  listener.end(outcome);
  return outcome;
}

type Attempt = Omit<Outcome, 'step' | 'seconds'>;

async function attemptStep(step: Step, examination: Examination): Promise<Attempt> {
  try {
    return { result: 'ok', note: await step.run(examination) };
  } catch (error) {
    if (examination.signal.aborted) return unchecked('interrupted');
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
