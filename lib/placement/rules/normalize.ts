import { MOST_SCORE } from './rule.ts';

/**
 * Scales the scores so that the highest becomes 100. `isReversed` inverts them, for counts where fewer is better.
 * Changes the array.
 */
export function normalize(scores: Float64Array, isReversed = false): Float64Array {
  let most = 0;
  for (const score of scores) if (score > most) most = score;
  for (let at = 0; at < scores.length; at++) {
    const part = most === 0 ? (scores[at] ?? 0) : Math.trunc((MOST_SCORE * (scores[at] ?? 0)) / most);
    scores[at] = isReversed ? MOST_SCORE - part : part;
  }
  return scores;
}
