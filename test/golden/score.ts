import { intendedDifferences } from './intended-differences.ts';
import { openAspects } from './open-differences.ts';
import { categoryOf } from './recording.ts';
import type { Replayed } from './replay.ts';

/** How the cases of a category are answered. */
export interface Score {
  readonly cases: number;
  readonly same: number;
  readonly intended: number;
  /** Of the intended ones: better so for every client, in all that differs. */
  readonly sought: number;
  readonly open: number;
  /** Of the open ones: only managedFields differ. */
  readonly onlyManagers: number;
}

/** By category, in the order of the recording; `all` last. */
export function scoresOf(replayed: readonly Replayed[]): Record<string, Score> {
  const categories = Map.groupBy(replayed, ({ recorded }) => categoryOf(recorded));
  const scores = [...categories].map(([category, members]) => [category, scoreOf(members)]);
  return { ...Object.fromEntries(scores), all: scoreOf(replayed) };
}

/** How some cases are answered together. */
export function scoreOf(members: readonly Replayed[]): Score {
  const differing = members.filter(({ differences }) => Object.keys(differences).length > 0);
  const open = differing.map((one) => openAspects(one)).filter((aspects) => aspects.length > 0);
  return {
    cases: members.length,
    same: members.length - differing.length,
    intended: differing.length - open.length,
    sought: differing.filter(isSought).length,
    open: open.length,
    onlyManagers: open.filter((aspects) => aspects.join() === 'managedFields').length,
  };
}

const SOUGHT = intendedDifferences.filter(({ sought }) => sought);

function isSought(one: Replayed): boolean {
  const explained: readonly string[] = SOUGHT.flatMap((intended) => intended.explains(one));
  return Object.keys(one.differences).every((aspect) => explained.includes(aspect));
}
