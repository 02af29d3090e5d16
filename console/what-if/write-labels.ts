import {
  AlreadyExistsError,
  ConflictError,
  NotFoundError,
  OutcomeUnknownError,
} from '../../lib/client/objects/index.ts';
import {
  ask,
  asking,
  forgetWritten,
  type KindInfo,
  METADATA,
  noteWritten,
  objectPath,
  sentence,
} from '../api/index.ts';
import { changeBetween, isEmptyChange, type LabelChange, type Labels } from './label-change.ts';

/** A change of the labels of one object in one version. */
export interface LabelWrite {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly before: Labels;
  readonly after: Labels;
}

/** What became of a write. */
export type Outcome =
  | { readonly what: 'written'; readonly resourceVersion: string }
  /** Another writer changed the object, or the object is another one of the same name. */
  | { readonly what: 'changed' }
  | { readonly what: 'gone' }
  | { readonly what: 'refused'; readonly reason: string }
  /** The answer was lost. The object was read: `isThere` says whether it has the labels; undefined if that failed, too. */
  | { readonly what: 'unknown'; readonly isThere: boolean | undefined };

interface Answer {
  readonly metadata: { readonly resourceVersion: string; readonly labels?: Labels };
}

/** Changes the labels of an object, unless it has changed since the version. It never repeats a write. */
export async function writeLabels(kind: KindInfo, write: LabelWrite): Promise<Outcome> {
  const { uid, resourceVersion, before, after } = write;
  const path = objectPath(kind, write);
  const labels: LabelChange = changeBetween(before, after);
  // The watch may tell of the change before the answer does.
  noteWritten(uid, after);
  try {
    const { metadata } = await ask<Answer>(path, {
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      accept: METADATA,
      body: { metadata: { uid, resourceVersion, labels } },
    });
    return { what: 'written', resourceVersion: metadata.resourceVersion };
  } catch (error) {
    forgetWritten(uid);
    if (error instanceof ConflictError || error instanceof AlreadyExistsError) return { what: 'changed' };
    if (error instanceof NotFoundError) return { what: 'gone' };
    if (!(error instanceof OutcomeUnknownError)) return { what: 'refused', reason: sentence(error as Error) };
    const asked = await asking<Answer>(path, { accept: METADATA });
    if ('error' in asked) return { what: 'unknown', isThere: undefined };
    return { what: 'unknown', isThere: isEmptyChange(changeBetween(asked.answer.metadata.labels, after)) };
  }
}

/** The write that takes back a written one. */
export function reverseOf(write: LabelWrite, resourceVersion: string): LabelWrite {
  return { ...write, resourceVersion, before: write.after, after: write.before };
}
