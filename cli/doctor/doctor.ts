import { type AccessOptions, openAccess } from '../connection/index.ts';
import { screen } from '../screen.ts';
import { examine } from './examine.ts';
import { Report } from './report.ts';

/** Examines an endpoint and shows what was found. A second Ctrl-C ends it at once, and leaves what it made. */
export async function doctor(options: AccessOptions): Promise<void> {
  const access = openAccess(options);
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      screen.error('\n  Interrupted: cleaning up. Once more to leave everything as it is.');
      interrupted.abort(new Error('interrupted'));
    });
  }
  const report = new Report();
  report.head(access.url);
  const outcomes = await examine({ access, listener: report, interrupted: interrupted.signal });
  if (!report.verdict(outcomes) || interrupted.signal.aborted) process.exitCode = 1;
}
