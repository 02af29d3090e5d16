/** The name of an object. */
export interface Named {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid: string };
}

/** How a set changes. */
export interface SetDifference<Of extends Named> {
  readonly enters: readonly Of[];
  readonly leaves: readonly Of[];
  /** The number of objects that are in the set before and after. */
  readonly stays: number;
}

/** Compares two lists of objects, by the objects' uids. */
export function setDifference<Of extends Named>(
  before: readonly Of[],
  after: readonly Of[],
): SetDifference<Of> {
  const old = new Set(before.map(({ metadata }) => metadata.uid));
  const now = new Set(after.map(({ metadata }) => metadata.uid));
  const enters = after.filter(({ metadata }) => !old.has(metadata.uid));
  return {
    enters,
    leaves: before.filter(({ metadata }) => !now.has(metadata.uid)),
    stays: after.length - enters.length,
  };
}
