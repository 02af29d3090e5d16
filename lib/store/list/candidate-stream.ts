import type { Labels } from '../../selectors/index.ts';

/** An object that a label index shows, with all of its labels as the index knows them. */
export interface Candidate {
  readonly nameKey: string;
  readonly labels: Labels;
}

/** Candidates in the order of their names, read a page at a time. Positions only ever move forward. */
export interface CandidateStream {
  /** The first candidate at or behind `from`, or undefined when there is none. */
  seek(from: string): Promise<Candidate | undefined>;
  /**
   * `dormant`: nothing was read of it, and to begin costs much. `blind`: it holds more than is worth reading, and what
   * it answers says nothing.
   */
  readonly state: 'open' | 'dormant' | 'blind';
  /** Whether there is nothing left to read behind what was read. */
  readonly ended: boolean;
  /** The last name up to which the candidates are known: how far one page of this stream reaches. */
  readonly reach: string;
  /** How many candidates that were read, and not passed yet, have a name up to `name`. */
  waiting(name: string): number;
}
