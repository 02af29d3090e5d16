/** Why one policy denies a write. */
export interface Failure {
  /** `policy 'p' with binding 'b' denied request: …` */
  readonly message: string;
  /** `Forbidden` for errors of the configuration. */
  readonly reason: 'Forbidden' | 'Invalid';
}

/** Mutating policies with `failurePolicy: Fail` have failed. There is at least one failure. */
export class PoliciesFailedError extends Error {
  readonly failures: readonly Failure[];

  constructor(failures: readonly Failure[]) {
    super(failures[0]?.message);
    this.name = 'PoliciesFailedError';
    this.failures = failures;
  }
}
