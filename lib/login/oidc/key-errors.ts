/** The error for keys of an issuer that are unavailable now. The same token may be accepted later. */
export class IssuerUnavailableError extends Error {
  override name = 'IssuerUnavailableError';
}

/** The error for keys that no longer exist. None of their tokens is valid. */
export class KeysGoneError extends Error {
  override name = 'KeysGoneError';
}
