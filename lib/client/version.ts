/** How new what is known of an object is. */
export interface Version {
  /** The edit of the Subscription that it was sent for; 0 before the first one. */
  readonly edit: number;
  /** The resourceVersion: a decimal integer of any size. */
  readonly rv: string;
}

/** Below every version there is. */
export const NO_VERSION: Version = { edit: 0, rv: '0' };

/** Whether `one` is newer than `other`: by the edit, then by the resourceVersion as an integer. */
export function isNewer(one: Version, other: Version): boolean {
  return one.edit === other.edit ? BigInt(one.rv) > BigInt(other.rv) : one.edit > other.edit;
}
