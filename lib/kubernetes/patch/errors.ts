/** The patch is malformed: not JSON, or not in the form that its content type requires. HTTP 400. */
export class PatchSyntaxError extends Error {
  override readonly name = 'PatchSyntaxError';
}

/** The patch is JSON but not valid for its content type. HTTP 400; the message needs no prefix. */
export class PatchFormError extends PatchSyntaxError {}

/**
 * The patch is well formed but does not apply to this object. Examples: a failed `test`, a missing path, an element
 * without its merge key. HTTP 422; nothing was applied.
 */
export class PatchFailedError extends Error {
  override readonly name: string = 'PatchFailedError';
}

/**
 * A JSON patch that does not apply. The message is Kubernetes' answer; `detail` names the fault and is not part of
 * the answer.
 */
export class JsonPatchFailedError extends PatchFailedError {
  override readonly name = 'JsonPatchFailedError';
  readonly detail: string;
  /** Whether a `test` found another value. */
  readonly isTest: boolean;

  constructor(detail: string, isTest = false) {
    super('the server rejected our request due to an error in our request');
    this.detail = detail;
    this.isTest = isTest;
  }
}

/** The content type is not that of a patch. HTTP 415. */
export class UnknownPatchError extends Error {
  override readonly name = 'UnknownPatchError';
}

/** The object does not support patches of this content type. HTTP 415. */
export class UnsupportedPatchError extends Error {
  override readonly name = 'UnsupportedPatchError';

  /** @param supported the content types that the object accepts; objects of other types accept more */
  constructor(reason: string, supported: readonly string[]) {
    super(`${reason} - accepted media types include: ${supported.join(', ')}`);
  }
}
