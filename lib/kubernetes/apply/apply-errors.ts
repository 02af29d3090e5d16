/** The applied body is no object of the kind that the URL names, or says what only the server may. HTTP 400. */
export class ApplySyntaxError extends Error {
  override readonly name = 'ApplySyntaxError';
}

/**
 * A field of the applied body is not of its type, or the type has no such field. HTTP 400, where upstream answers
 * 500 in the same words.
 */
export class ApplyTypeError extends Error {
  override readonly name = 'ApplyTypeError';
}
