import { WinnowError } from '../../lib/client/objects/index.ts';
import { ask, findKind, objectPath } from '../api/index.ts';
import { parseOpen } from '../route/index.ts';
import { asNew, ownWords, readPasted } from './asked-object.ts';
import type { Placement } from './placement.ts';

const REVIEWS = '/apis/winnow.dev/v1/placementreviews';

/** A question: an object by its name (`pods:shop/web-1`), or a text with several lines, the YAML of an object. */
export function isText(question: string): boolean {
  return question.includes('\n');
}

/** Asks where the pods of an object would go. */
export async function askPlacement(question: string, count: number, signal: AbortSignal): Promise<Placement> {
  try {
    const object = await (isText(question) ? readPasted(question) : readNamed(question, signal));
    const body = { apiVersion: 'winnow.dev/v1', kind: 'PlacementReview', spec: { object, count } };
    const review = await ask<{ status: Placement }>(REVIEWS, { method: 'POST', body, isRead: true, signal });
    return review.status;
  } catch (error) {
    throw inOwnWords(error as Error);
  }
}

async function readNamed(question: string, signal: AbortSignal): Promise<object> {
  const named = parseOpen(question);
  const kind = findKind(named?.kind ?? '');
  if (named === undefined || kind === undefined) {
    throw new Error(`"${question}" names no object of a known kind.`);
  }
  return asNew(await ask<object>(objectPath(kind, named), { signal }), kind.apiVersion, kind.kind);
}

function inOwnWords(error: Error): Error {
  if (!(error instanceof WinnowError)) return error;
  const { code, status, auditId, message } = error;
  const words = ownWords(status?.message ?? message);
  return new WinnowError(words, { code, status: { ...status, message: words }, auditId, cause: error });
}
