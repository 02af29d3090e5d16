import { type Listener, type Outcome, takeStep } from '../take-step.ts';
import type { AlarmExamination } from './alarm-examination.ts';
import { ALARM_STEPS } from './alarm-steps.ts';

export interface ExamineAlarmsOptions {
  readonly examination: AlarmExamination;
  readonly listener: Listener;
  /** Aborted when the user interrupts. */
  readonly interrupted: AbortSignal;
}

/** Checks the alarms of a stack without writing anything. Returns the outcome of every step. */
export async function examineAlarms({
  examination,
  listener,
  interrupted,
}: ExamineAlarmsOptions): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let blocked: string | undefined;
  for (const { name, required, run } of ALARM_STEPS) {
    const step = { name, run: () => run(examination), signal: interrupted };
    const outcome = await takeStep({ ...step, listener, blocked });
    outcomes.push(outcome);
    if (interrupted.aborted) {
      blocked = 'interrupted';
    } else if (outcome.result !== 'ok' && required === true) blocked ??= `it needs "${name}"`;
  }
  return outcomes;
}
