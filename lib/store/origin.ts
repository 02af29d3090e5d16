/** The origin of a write; empty if no request caused it. */
export interface Origin {
  /** The request's id. */
  readonly auditID?: string | undefined;
  /** The name of the caller. */
  readonly user?: string | undefined;
  /** The field manager of the write. */
  readonly manager?: string | undefined;
}
