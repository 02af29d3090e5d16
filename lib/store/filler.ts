import type { Collection } from '../json/index.ts';

/** A range of resourceVersions with gaps; both ends are inclusive. It spans at most a hundred. */
export interface GapRange {
  readonly collection: Collection;
  readonly from: number;
  readonly to: number;
}

/** The client of the `fill` function, which fills gaps for read-only functions. */
export interface Filler {
  /**
   * Resolves when every resourceVersion of the range is decided: by its writer, or by a hole one grace after the
   * filler itself first saw the gap.
   */
  fill(gap: GapRange, signal: AbortSignal | undefined): Promise<void>;
}

/** The maximum number of resourceVersions in one {@link GapRange}. */
export const MOST_IN_GAP = 100;
