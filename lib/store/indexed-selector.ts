import type { AnchorPlace } from './keys.ts';

/** The postings of one selector of an object. The object's row stores this in addition to its body. */
export interface IndexedSelector {
  readonly path: string;
  /** The digest of everything that the postings contain. If it is unchanged, the postings stay as they are. */
  readonly digest: string;
  readonly places: readonly AnchorPlace[];
}
