/** The claim that a name is read from, and the prefix that Winnow puts before it. */
export interface ClaimMapping {
  readonly claim: string;
  readonly prefix: string;
}

/** An issuer of accepted tokens (JWTs of OpenID Connect), and the claims that are read. */
export interface JwtIssuer {
  /** The required value of `iss`; the issuer's keys are discovered from this URL. */
  readonly url: string;
  /** The accepted audiences; `aud` must name one of them. */
  readonly audiences: readonly string[];
  /** The certificate authority of the issuer's servers, in PEM; undefined: the public ones. */
  readonly certificateAuthority?: string | undefined;
  readonly username: ClaimMapping;
  readonly groups?: ClaimMapping | undefined;
  /** The claim that holds the uid. */
  readonly uid?: string | undefined;
  /** Further claims, each with its required value. */
  readonly required: readonly { readonly claim: string; readonly value: string }[];
}
