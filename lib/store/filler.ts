import type { Collection } from '../json/index.ts';

/** ResourceVersions of which some have no entry yet, both ends among them: a hundred at most. */
export interface GapRange {
  readonly collection: Collection;
  readonly from: number;
  readonly to: number;
}

/** The function that puts holes for read-only functions. */
export interface Filler {
  /**
   * Resolves when every resourceVersion of the range was decided: by its writer, or given up a grace after the filler
   * itself saw that it is missing.
   */
  fill(gap: GapRange, signal: AbortSignal | undefined): Promise<void>;
}

/** ResourceVersions in one gap. */
export const MOST_IN_GAP = 100;
