/** The keys of an issuer cannot be had now: the same token may do later. */
export class IssuerUnavailableError extends Error {
  override name = 'IssuerUnavailableError';
}

/** There are no keys any more: none of their tokens counts. */
export class KeysGoneError extends Error {
  override name = 'KeysGoneError';
}
