/** From which claim a name comes, and what is put before it. */
export interface ClaimMapping {
  readonly claim: string;
  readonly prefix: string;
}

/** An issuer of accepted tokens (JWTs of OpenID Connect), and the claims that are read. */
export interface JwtIssuer {
  /** What `iss` has to be, and where its keys are found. */
  readonly url: string;
  /** One of these `aud` has to name. */
  readonly audiences: readonly string[];
  /** Whose certificates its servers show, in PEM; undefined: those that everybody trusts. */
  readonly certificateAuthority?: string | undefined;
  readonly username: ClaimMapping;
  readonly groups?: ClaimMapping | undefined;
  /** The claim that is the uid. */
  readonly uid?: string | undefined;
  /** What claims have to be, beside that. */
  readonly required: readonly { readonly claim: string; readonly value: string }[];
}
