/** The patch itself is malformed: not JSON, not of the shape its content type asks for. HTTP 400. */
export class PatchSyntaxError extends Error {
  override readonly name = 'PatchSyntaxError';
}

/**
 * The patch is well formed but does not apply to this object: a failed `test`, a path that is not there, an
 * element without its merge key. HTTP 422; nothing was applied. The message is the one Kubernetes answers
 * with; `detail` says what was wrong (Kubernetes puts it into `details.causes`).
 */
export class PatchFailedError extends Error {
  override readonly name = 'PatchFailedError';
  readonly detail: string;

  constructor(detail: string) {
    super('the server rejected our request due to an error in our request');
    this.detail = detail;
  }
}

/** The patch's content type is not one this object can be patched with. HTTP 415. */
export class UnsupportedPatchError extends Error {
  override readonly name = 'UnsupportedPatchError';
  /** The content types that this object accepts. */
  readonly supported: readonly string[];

  constructor(reason: string, supported: readonly string[]) {
    super(`${reason} - accepted media types include: ${supported.join(', ')}`);
    this.supported = supported;
  }
}
