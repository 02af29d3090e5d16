import type { History } from '../history.ts';
import { checkAcknowledged } from './acknowledged.ts';
import { checkAtomic } from './atomic.ts';
import { checkBookmarkable } from './bookmarkable.ts';
import { checkConverges } from './converges.ts';
import { checkDeduplicated } from './deduplicated.ts';
import { checkExactEdit } from './exact-edit.ts';
import { checkExactList } from './exact-list.ts';
import { checkLinearizable } from './linearizable.ts';
import { checkOrdered } from './ordered.ts';
import { checkOrderedObjects } from './ordered-objects.ts';
import { checkProven } from './proven.ts';
import { checkRealTime } from './real-time.ts';
import { checkReliable } from './reliable.ts';
import { checkResumable } from './resumable.ts';
import { Run } from './run.ts';
import { checkSilent } from './silent.ts';
import { checkUnique } from './unique.ts';
import { checkVersions } from './versions.ts';
import type { Violation } from './violation.ts';

export type { Violation } from './violation.ts';

/** One check for each guarantee of docs/guarantees.md. */
const CHECKS: readonly ((run: Run) => Violation[])[] = [
  checkVersions,
  checkRealTime,
  checkAcknowledged,
  checkLinearizable,
  checkExactList,
  checkAtomic,
  checkExactEdit,
  checkOrdered,
  checkOrderedObjects,
  checkUnique,
  checkReliable,
  checkResumable,
  checkBookmarkable,
  checkConverges,
  checkDeduplicated,
  checkSilent,
  checkProven,
];

/** Returns everything in a history that a guarantee forbids; empty if all of them held. */
export function check(history: History): Violation[] {
  const run = new Run(history);
  return CHECKS.flatMap((one) => one(run));
}
