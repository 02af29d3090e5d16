import { metadataOf } from '../json/index.ts';
import type { ObjectState } from '../store/index.ts';

/** Whether an object is terminating. */
export function isTerminating({ body }: ObjectState): boolean {
  return metadataOf(body).deletionTimestamp !== undefined;
}
