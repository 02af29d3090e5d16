/** A value is not of its field's type; nothing of the object can be used. The message is what Go's decoder says. */
export class UnmarshalError extends Error {
  override name = 'UnmarshalError';
}
