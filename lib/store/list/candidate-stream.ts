import type { Labels, Requirement } from '../../selectors/index.ts';

/** An object in a label index, with all of its labels as the index has them. */
export interface Candidate {
  readonly nameKey: string;
  readonly labels: Labels;
}

/** Candidates in the order of their names, read page by page. Positions only move forward. */
export interface CandidateStream {
  /** Returns the first candidate at or after `from`, or undefined if there is none. */
  seek(from: string): Promise<Candidate | undefined>;
  /**
   * `dormant`: nothing was read yet, and the first read costs much. `blind`: the stream holds more than is worth
   * reading, and its results mean nothing.
   */
  readonly state: 'open' | 'dormant' | 'blind';
  /** Whether all entries of the stream were read. */
  readonly ended: boolean;
  /** The last name up to which all candidates were read. */
  readonly reach: string;
  /** Returns how many candidates, read but not passed yet, have a name up to `name`. */
  waiting(name: string): number;
}

/** A stream of candidates whose indexed labels meet the whole selector. */
export interface PlannedStream extends CandidateStream {
  /** The streams that were the driver, in this order. */
  readonly drivers: readonly CandidateStream[];
  /** The number of skips that saved reads. */
  readonly skips: number;
}

/** The label index streams that supply the names of a LIST. */
export interface CandidatePlan {
  /**
   * A superset of the matches, except for changes that the indexes do not show yet. Undefined if no index is worth
   * reading.
   */
  readonly stream: PlannedStream | undefined;
  /** The requirement that each stream reads. */
  readonly requirements: ReadonlyMap<CandidateStream, Requirement>;
}

/** `nothing` if no object can match; undefined if no index shows the matches. */
export type Plan = CandidatePlan | 'nothing' | undefined;
