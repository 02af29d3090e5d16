/** The version of an object's stored state. */
export interface Version {
  /** The edit of the Subscription for which it was sent; 0 before the first edit. */
  readonly edit: number;
  /** The resourceVersion: a decimal integer of any size. */
  readonly rv: string;
}

/** A version below every other. */
export const NO_VERSION: Version = { edit: 0, rv: '0' };

/** Whether `one` is newer than `other`: by the edit, then by the resourceVersion as an integer. */
export function isNewer(one: Version, other: Version): boolean {
  return one.edit === other.edit ? BigInt(one.rv) > BigInt(other.rv) : one.edit > other.edit;
}
