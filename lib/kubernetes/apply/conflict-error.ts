import type { Path } from './path-element.ts';

/** A field that another manager owns and that the apply would change. */
export interface Conflict {
  /** The other manager's id. */
  readonly manager: string;
  readonly path: Path;
}

/** The cause that a client receives for one conflict. */
export interface ConflictCause {
  /** `conflict with "kubectl" using v1` */
  readonly message: string;
  /** `.spec.replicas` */
  readonly field: string;
}

/**
 * The apply changes fields that other managers own, and the request does not set `force`. HTTP 409, with one cause
 * per field.
 */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
  readonly conflicts: readonly Conflict[];
  readonly causes: readonly ConflictCause[];

  constructor(message: string, conflicts: readonly Conflict[], causes: readonly ConflictCause[]) {
    super(message);
    this.conflicts = conflicts;
    this.causes = causes;
  }
}
