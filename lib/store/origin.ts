/** Whose write it is; nothing of it where no request asked for it. */
export interface Origin {
  /** The request's id. */
  readonly auditID?: string | undefined;
  /** The name of the caller. */
  readonly user?: string | undefined;
}
