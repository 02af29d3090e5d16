import { type AccessOptions, openAccess } from '../connection/index.ts';
import { screen } from '../screen.ts';
import { AlarmExamination, AwsAlarmSource, examineAlarms } from './alarms/index.ts';
import { askAccount, checkConcurrency } from './check-concurrency.ts';
import { examine } from './examine.ts';
import { Report } from './report.ts';
import type { Outcome } from './take-step.ts';

/** Checks an endpoint and prints a report. A second Ctrl-C ends it at once, without cleaning up. */
export async function doctor(options: AccessOptions): Promise<void> {
  const access = openAccess(options);
  const left = '\n  Interrupted: cleaning up. Press Ctrl-C again to end without cleaning up.';
  await report(access.url, left, (listener, interrupted) => examine({ access, listener, interrupted }));
}

/** Checks the alarms of a stack and prints a report. */
export async function doctorOfAlarms(stackName: string): Promise<void> {
  const examination = new AlarmExamination(stackName, new AwsAlarmSource(stackName));
  await report(`the alarms of ${stackName}`, '\n  Interrupted.', (listener, interrupted) =>
    examineAlarms({ examination, listener, interrupted }),
  );
}

/** Compares the Lambda concurrency of the account with what Winnow needs, and prints a report. */
export async function doctorOfConcurrency(): Promise<void> {
  await report("Lambda's concurrency", '\n  Interrupted.', (listener, interrupted) =>
    checkConcurrency({ account: askAccount, listener, interrupted }),
  );
}

type Examine = (listener: Report, interrupted: AbortSignal) => Promise<readonly Outcome[]>;

async function report(what: string, left: string, examineIt: Examine): Promise<void> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      screen.error(left);
      interrupted.abort(new Error('interrupted'));
    });
  }
  const shown = new Report();
  shown.head(what);
  const outcomes = await examineIt(shown, interrupted.signal);
  if (!shown.verdict(outcomes) || interrupted.signal.aborted) process.exitCode = 1;
}
