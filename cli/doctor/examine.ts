import type { Access } from '../connection/index.ts';
import { Examination, PATIENCE, type Patience, type Step } from './examination.ts';
import { ALL_STEPS, cleanUp } from './steps/index.ts';
import { type Listener, type Outcome, takeStep } from './take-step.ts';

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
  const take = ({ name, run }: Step, examined: Examination, unless: string | undefined) =>
    takeStep({ name, run: () => run(examined), signal: examined.signal, listener, blocked: unless });
  for (const step of steps) {
    const outcome = await take(step, examination, blocked);
    outcomes.push(outcome);
    if (interrupted.aborted) {
      blocked = 'interrupted';
    } else if (outcome.result !== 'ok' && step.required === true) blocked ??= `it needs "${step.name}"`;
  }
  const nothing = examination.touched ? undefined : 'nothing was made';
  outcomes.push(await take(cleanUp, examination.uninterrupted(), nothing));
  return outcomes;
}
