/** An observation in a history that a guarantee forbids. */
export interface Violation {
  /** The check's name, which is also the guarantee's in docs/guarantees.md. */
  readonly check: string;
  readonly message: string;
  /** The observations that contradict each other, one a line. */
  readonly evidence: readonly string[];
}
