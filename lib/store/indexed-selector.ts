import type { AnchorPlace } from './keys.ts';

/** By which rows one selector of an object is found; the object's row has this beside its body. */
export interface IndexedSelector {
  readonly path: string;
  /** Of all that the rows say: where it is the same they stay as they are. */
  readonly digest: string;
  readonly places: readonly AnchorPlace[];
}
