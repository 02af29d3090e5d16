import type { Path } from './path-element.ts';

/** A field that another manager owns and that would get another value. */
export interface Conflict {
  /** The other manager's id. */
  readonly manager: string;
  readonly path: Path;
}

/** What a client is told of a conflict. */
export interface ConflictCause {
  /** `conflict with "kubectl" using v1` */
  readonly message: string;
  /** `.spec.replicas` */
  readonly field: string;
}

/** What an apply changes is owned by others, and it did not say `force`. HTTP 409; a cause per field. */
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
