/** The patch itself is malformed: not JSON, not of the shape its content type asks for. HTTP 400. */
export class PatchSyntaxError extends Error {
  override readonly name = 'PatchSyntaxError';
}

/** JSON, but no patch of its content type. HTTP 400, in words that are complete as they are. */
export class PatchFormError extends PatchSyntaxError {}

/**
 * The patch is well formed but does not apply to this object: a failed `test`, a path that is not there, an
 * element without its merge key. HTTP 422; nothing was applied.
 */
export class PatchFailedError extends Error {
  override readonly name: string = 'PatchFailedError';
}

/** Of a JSON patch. The message is the one Kubernetes answers with; `detail`, which it does not tell, says what was wrong. */
export class JsonPatchFailedError extends PatchFailedError {
  override readonly name = 'JsonPatchFailedError';
  readonly detail: string;

  constructor(detail: string) {
    super('the server rejected our request due to an error in our request');
    this.detail = detail;
  }
}

/** The content type is not one of a patch. HTTP 415. */
export class UnknownPatchError extends Error {
  override readonly name = 'UnknownPatchError';
}

/** The patch's content type is not one this object can be patched with. HTTP 415. */
export class UnsupportedPatchError extends Error {
  override readonly name = 'UnsupportedPatchError';

  /** @param supported what the object accepts, where objects of other types accept more */
  constructor(reason: string, supported: readonly string[]) {
    super(`${reason} - accepted media types include: ${supported.join(', ')}`);
  }
}
