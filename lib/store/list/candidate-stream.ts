import type { Labels } from '../../selectors/index.ts';

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
  /** Whether the stream has read its last entry. */
  readonly ended: boolean;
  /** The last name up to which all candidates were read. */
  readonly reach: string;
  /** Returns how many candidates, read but not passed yet, have a name up to `name`. */
  waiting(name: string): number;
}
