import { connect, WinnowError } from '../../lib/client/objects/index.ts';
import { ask, findKind, objectPath } from '../api/index.ts';
import { parseOpen } from '../route/index.ts';
import { sessionFetch } from '../session/index.ts';
import { asNew, ownWords, reviewText } from './asked-object.ts';
import type { Placement } from './placement.ts';

const REVIEWS = '/apis/winnow.dev/v1/placementreviews';

/** Sends bodies as text, and not as JSON. */
const textual = connect({
  url: location.origin,
  fetch: (input, init) => sessionFetch(input, { ...init, body: JSON.parse(String(init?.body)) as string }),
});

/** A question: an object by its name (`pods:shop/web-1`), or a text with several lines, the YAML of an object. */
export function isText(question: string): boolean {
  return question.includes('\n');
}

/** Asks where the pods of an object would go. */
export async function askPlacement(question: string, count: number, signal: AbortSignal): Promise<Placement> {
  try {
    const review = isText(question)
      ? await textual.request<Answer>(REVIEWS, {
          method: 'POST',
          body: reviewText(question, count),
          contentType: 'application/yaml',
          isRead: true,
          signal,
        })
      : await ask<Answer>(REVIEWS, {
          method: 'POST',
          body: await reviewOf(question, count, signal),
          isRead: true,
          signal,
        });
    return review.status;
  } catch (error) {
    throw inOwnWords(error as Error);
  }
}

interface Answer {
  readonly status: Placement;
}

async function reviewOf(question: string, count: number, signal: AbortSignal): Promise<object> {
  const named = parseOpen(question);
  const kind = findKind(named?.kind ?? '');
  if (named === undefined || kind === undefined) {
    throw new Error(`"${question}" names no object of a known kind.`);
  }
  const object = asNew(await ask<object>(objectPath(kind, named), { signal }), kind.apiVersion, kind.kind);
  return { apiVersion: 'winnow.dev/v1', kind: 'PlacementReview', spec: { object, count } };
}

function inOwnWords(error: Error): Error {
  if (!(error instanceof WinnowError)) return error;
  const { code, status, auditId, message } = error;
  const words = ownWords(status?.message ?? message);
  return new WinnowError(words, { code, status: { ...status, message: words }, auditId, cause: error });
}
