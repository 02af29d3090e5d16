import type { Access } from '../connection/index.ts';
import { Examination, PATIENCE, type Patience, type Step } from './examination.ts';
import { ALL_STEPS, cleanUp } from './steps/index.ts';
import { type Listener, type Outcome, takeStep } from './take-step.ts';

export interface ExamineOptions {
  readonly access: Access;
  readonly listener: Listener;
  /** Aborted when the user interrupts; the examination still cleans up. */
  readonly interrupted: AbortSignal;
  readonly patience?: Partial<Patience>;
  /** Default: all. */
  readonly steps?: readonly Step[];
}

/** Runs the steps and then cleans up, even after a failure or an interruption. Returns the outcome of every step. */
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
  const take = ({ name, run }: Step, examined: Examination, unless: string | undefined) =>
    takeStep({ name, run: () => run(examined), signal: examined.signal, listener, blocked: unless });
  for (const step of steps) {
    const outcome = await take(step, examination, blocked);
    outcomes.push(outcome);
    if (interrupted.aborted) {
      blocked = 'interrupted';
    } else if (outcome.result !== 'ok' && step.required === true) blocked ??= `it needs "${step.name}"`;
  }
  const nothing = examination.touched ? undefined : 'nothing was created';
  outcomes.push(await take(cleanUp, examination.uninterrupted(), nothing));
  return outcomes;
}
