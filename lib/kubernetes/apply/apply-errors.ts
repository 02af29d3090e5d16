/**
 * The applied body is not an object of the kind that the URL names, or it sets fields that only the server may set.
 * HTTP 400.
 */
export class ApplySyntaxError extends Error {
  override readonly name = 'ApplySyntaxError';
}

/**
 * A field of the applied body has the wrong type, or the type has no such field. HTTP 400; upstream answers 500 with
 * the same message.
 */
export class ApplyTypeError extends Error {
  override readonly name = 'ApplyTypeError';
}
