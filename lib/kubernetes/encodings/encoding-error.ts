/** A body that does not match its media type. The message is that of Kubernetes' decoder. */
export class EncodingError extends Error {
  override name = 'EncodingError';
}
