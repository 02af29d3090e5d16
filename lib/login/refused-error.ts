/**
 * The checks of a token, those of a principal's in the order they are made. `sts`: AWS does not vouch for it. `name`:
 * its claims name a user that no claim may name. `size`: they are more than can be handed on.
 */
export type Check =
  | 'length'
  | 'prefix'
  | 'encoding'
  | 'url'
  | 'host'
  | 'parameters'
  | 'duplicates'
  | 'action'
  | 'version'
  | 'algorithm'
  | 'signed-headers'
  | 'expires'
  | 'date'
  | 'credential'
  | 'security-token'
  | 'signature'
  | 'age'
  | 'sts'
  | 'identity'
  | 'issuer'
  | 'key'
  | 'audience'
  | 'claims'
  | 'name'
  | 'size';

/** The error for a token that fails a check. The check is for the log only; the answer to the client does not name it. */
export class RefusedError extends Error {
  override name = 'RefusedError';
  readonly check: Check;

  constructor(check: Check) {
    super(`the token was refused: ${check}`);
    this.check = check;
  }
}
