import type { WatchedEvent } from '../../simulation/history.ts';
import type { Findings } from './phase.ts';

interface Told {
  readonly reader: string;
  readonly events: readonly WatchedEvent[];
  readonly names: readonly string[];
}

/** Each of the objects entered once and left once; what was spared did not leave, and nothing had to be forgotten. */
export function checkToldOnce(findings: Findings, { reader, events, names }: Told): void {
  for (const type of ['ADDED', 'DELETED'] as const) {
    const counts = new Map<string, number>();
    for (const event of events) {
      if (event.type === type) counts.set(event.object.token, (counts.get(event.object.token) ?? 0) + 1);
    }
    const missing = names.filter((name) => !counts.has(name));
    const twice = names.filter((name) => (counts.get(name) ?? 0) > 1);
    findings.expect(
      missing.length === 0,
      `${reader} was not told ${type} of ${missing.length} objects`,
      ...missing.slice(0, 5),
    );
    findings.expect(
      twice.length === 0,
      `${reader} was told ${type} of ${twice.length} objects more than once`,
      ...twice.slice(0, 5),
    );
  }
  findings.expect(
    !deletionsIn(events).has('spared'),
    `${reader} was told that an object was deleted that is there`,
  );
  findings.expect(!events.some(({ type }) => type === 'ERROR'), `${reader} was told to begin anew`);
}

/** Names of the objects that left: each has its name for a token. */
export function deletionsIn(events: readonly WatchedEvent[]): ReadonlySet<string> {
  return new Set(events.flatMap((event) => (event.type === 'DELETED' ? [event.object.token] : [])));
}
