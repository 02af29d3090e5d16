import { functionLogs } from './function-logs.ts';
import type { Progress } from './progress.ts';
import type { Outcome } from './report.ts';
import type { Step, Trial } from './trial.ts';

export interface RunOptions {
  readonly trial: Trial;
  readonly progress: Progress;
  /** Aborts when the user wants to stop. */
  readonly interrupted: AbortSignal;
}

/** Takes the steps one after the other, up to the first that fails. Gives an outcome for each. */
export async function runSteps(steps: readonly Step[], options: RunOptions): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [index, step] of steps.entries()) {
    options.progress.begin(`${String(index + 1).padStart(2)}/${steps.length} ${step.name}`);
    const outcome = await take(step, options);
    outcomes.push(outcome);
    if (outcome.result === 'failed') break;
  }
  const left = steps.slice(outcomes.length);
  return [
    ...outcomes,
    ...left.map(({ name }) => ({ step: name, seconds: 0, result: 'not run' as const, note: '' })),
  ];
}

async function take(step: Step, { trial, progress, interrupted }: RunOptions): Promise<Outcome> {
  const [began, startTime] = [performance.now(), Date.now()];
  const outcome = (result: Outcome['result'], note = ''): Outcome => {
    const seconds = (performance.now() - began) / 1_000;
    progress.end(`${result}, ${seconds.toFixed(1)} s${note && `: ${note}`}`);
    return { step: step.name, seconds, result, note };
  };
  try {
    return outcome('ok', await Promise.race([step.run(trial), rejectedBy(interrupted)]));
  } catch (error) {
    const failed = outcome('failed');
    if (interrupted.aborted) return failed;
    progress.say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    progress.say(
      await functionLogs(trial.options, startTime).catch((why) => `The logs cannot be read: ${why}`),
    );
    return failed;
  }
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
    } else {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    }
  });
}
