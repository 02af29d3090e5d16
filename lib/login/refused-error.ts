/**
 * The checks of a token; those of a principal's token are in the order in which they run. `sts`: AWS does not accept
 * the token. `name`: its claims give a reserved name. `size`: the claims are too large to pass on.
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

/** The error for a token that fails a check. The check is for the log only; clients do not learn it. */
export class RefusedError extends Error {
  override name = 'RefusedError';
  readonly check: Check;

  constructor(check: Check) {
    super(`the token was refused: ${check}`);
    this.check = check;
  }
}
