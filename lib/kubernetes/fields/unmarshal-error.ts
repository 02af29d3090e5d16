/** A value does not have the type of its field, so the object cannot be used. The message is that of Go's decoder. */
export class UnmarshalError extends Error {
  override name = 'UnmarshalError';
  /** Go's message when it converts a value instead of decoding a text: `cannot convert int64 to string`. */
  readonly converting: string;

  constructor(message: string, converting = message) {
    super(message);
    this.converting = converting;
  }
}
