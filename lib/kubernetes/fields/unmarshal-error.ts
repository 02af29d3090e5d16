/** A value is not of its field's type; nothing of the object can be used. The message is what Go's decoder says. */
export class UnmarshalError extends Error {
  override name = 'UnmarshalError';
  /** What Go says that does not decode a text but converts a value: `cannot convert int64 to string`. */
  readonly converting: string;

  constructor(message: string, converting = message) {
    super(message);
    this.converting = converting;
  }
}
