/** The kinds of mutations. */
export type PatchKind = 'ApplyConfiguration' | 'JSONPatch';

/** A mutation has no result: the policy's `failurePolicy` says whether that denies the write. */
export class PatchError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PatchError';
  }
}
