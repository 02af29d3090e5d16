/** A body that is not what its media type says. The message is what Kubernetes' own decoder would say. */
export class EncodingError extends Error {
  override name = 'EncodingError';
}
