import { ask, type KindInfo } from '../api/index.ts';
import { type Effects, type Review, sumUp } from './effects.ts';
import { inPool } from './in-pool.ts';
import type { Labelled, LabelSet } from './label-sets.ts';

const REVIEWS = '/apis/winnow.dev/v1/selectionreviews';
/** The most reviews that are asked at once. */
const AT_ONCE = 4;

/** Asks which selectors begin and stop to match objects after a change of their labels: one review for each set. */
export async function askReviews(
  kind: KindInfo,
  sets: readonly LabelSet<Labelled>[],
  signal: AbortSignal,
): Promise<Effects> {
  const { group, plural } = kind;
  const reviewed = await inPool(sets, { most: AT_ONCE, signal }, async ({ namespace, after, objects }) => {
    const spec = {
      resource: { group, resource: plural },
      ...(namespace !== '' && { namespace }),
      // The server knows the other fields of the object, which field selectors read.
      name: objects[0]?.metadata.name,
      labels: after,
    };
    const body = { apiVersion: 'winnow.dev/v1', kind: 'SelectionReview', spec };
    const answer = await ask<{ status: Review }>(REVIEWS, { method: 'POST', isRead: true, body, signal });
    return { objects: objects.length, review: answer.status };
  });
  signal.throwIfAborted();
  return sumUp(reviewed.filter((one) => one !== undefined));
}
