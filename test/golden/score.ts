import { intendedDifferences } from './intended-differences.ts';
import { openAspects } from './open-differences.ts';
import { categoryOf } from './recording.ts';
import type { Replayed } from './replay.ts';

/** How many cases of a category have which result. */
export interface Score {
  readonly cases: number;
  readonly same: number;
  readonly intended: number;
  /** The intended ones that help every client, in all aspects that differ. */
  readonly sought: number;
  readonly open: number;
  /** The open ones in which only managedFields differ. */
  readonly onlyManagers: number;
}

/** The scores by category, in the order of the recording; `all` is last. */
export function scoresOf(replayed: readonly Replayed[]): Record<string, Score> {
  const categories = Map.groupBy(replayed, ({ recorded }) => categoryOf(recorded));
  const scores = [...categories].map(([category, members]) => [category, scoreOf(members)]);
  return { ...Object.fromEntries(scores), all: scoreOf(replayed) };
}

/** The score of several cases together. */
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
