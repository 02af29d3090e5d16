import { MOST_SCORE } from './rule.ts';

/** The highest becomes 100 and the others their part of it; turned round where more is worse. In place. */
export function normalize(scores: Float64Array, isReversed = false): Float64Array {
  let most = 0;
  for (const score of scores) if (score > most) most = score;
  for (let at = 0; at < scores.length; at++) {
    const part = most === 0 ? (scores[at] ?? 0) : Math.trunc((MOST_SCORE * (scores[at] ?? 0)) / most);
    scores[at] = isReversed ? MOST_SCORE - part : part;
  }
  return scores;
}
