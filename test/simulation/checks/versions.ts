import { describeSnapshot } from './describe.ts';
import type { Run } from './run.ts';
import type { Violation } from './violation.ts';

/**
 * Guarantee "versions": every change has its own resourceVersion, and none is above the collection's head. An object's
 * resourceVersions rise over all its lives.
 */
export function checkVersions({ history, sightings, truth }: Run): Violation[] {
  const { finalHead } = history;
  const above = sightings.filter(({ snapshot }) => snapshot.rv > finalHead || !Number.isInteger(snapshot.rv));
  const crowded = truth.changes.filter(({ since, rv }) => since > rv);
  return [
    ...truth.clashes.map((clash) => violation('one resourceVersion was given to two changes', clash)),
    ...above.map(({ by, snapshot }) =>
      violation(
        `a resourceVersion is not below the head ${finalHead}`,
        `${by}: ${describeSnapshot(snapshot)}`,
      ),
    ),
    ...crowded.map(({ object, since }) =>
      violation(
        `no resourceVersion is left for the deletion of ${object}`,
        `between ${since - 1} and ${since}`,
      ),
    ),
  ];
}

function violation(message: string, ...evidence: string[]): Violation {
  return { check: 'versions', message, evidence };
}
