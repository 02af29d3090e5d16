/** A part of an object, or an action on it, with its own path below the object's. */
export interface Subresource {
  readonly name: string;
  /**
   * The kind of the request or response, if it is not the object's. Group and version are set if they differ from the
   * object's.
   */
  readonly takes?: { readonly group?: string; readonly version?: string; readonly kind: string };
  /** The verbs, as in discovery. */
  readonly verbs: readonly string[];
}
