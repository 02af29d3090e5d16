/** Part of an object, or something that can be done to it, with a path of its own below the object's. */
export interface Subresource {
  readonly name: string;
  /** What it takes or answers, where that is not the object; a group and version where they are not the object's. */
  readonly takes?: { readonly group?: string; readonly version?: string; readonly kind: string };
  /** In discovery's words. */
  readonly verbs: readonly string[];
}
