import {
  type Identity,
  identityContext,
  type Principal,
  RefusedError,
  TOKEN_PREFIX,
  type Verify,
} from '../../lib/login/index.ts';
import type { VerifyJwt } from '../../lib/login/oidc/index.ts';
import type { Logger, Metrics } from '../../lib/platform/index.ts';

export interface AdmitOptions {
  readonly verify: Verify;
  /** Of tokens that are none of AWS'; undefined where they are refused. */
  readonly verifyJwt?: VerifyJwt | undefined;
  /** ARNs of the principals that may do everything. */
  readonly principals: ReadonlySet<string>;
  /** Who else is let in: ARNs, and numbers of accounts, for all principals of these. */
  readonly members: ReadonlySet<string>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** A principal of AWS, and whether they may in. */
export interface PrincipalAdmission {
  readonly principal: Principal;
  readonly identity?: undefined;
  readonly allowed: boolean;
  /** Whether they may do everything: else roles and bindings say what. */
  readonly administrator: boolean;
}

/** Whom an issuer of tokens vouches for. What they may do the functions decide. */
export interface IdentityAdmission {
  readonly identity: Identity;
  readonly allowed: true;
}

/** Who it is. */
export type Admission = PrincipalAdmission | IdentityAdmission;

/**
 * Judges an Authorization header.
 *
 * @throws {RefusedError} it holds no login.
 * @throws {Error} nobody can say now.
 */
export type Admit = (authorization: string | undefined) => Promise<Admission>;

/**
 * Lets in who has a token of `aws eks get-token` for this deployment and is named in it, or whose account is, and
 * whoever has one of the issuers that it names. The log is told.
 */
export function createAdmit(options: AdmitOptions): Admit {
  const { principals, members, logger } = options;
  return async (authorization) => {
    const token = /^bearer +([^ ]+)$/i.exec(authorization ?? '')?.[1];
    if (options.verifyJwt !== undefined && token !== undefined && !token.startsWith(TOKEN_PREFIX)) {
      const identity = await judged(options.verifyJwt(token).then(refuseLarge), options);
      logger.info('let a user in', { user: identity.username });
      return { identity, allowed: true };
    }
    const principal = await judged(options.verify(token ?? ''), options);
    const { arn, account, session } = principal;
    const administrator = principals.has(arn);
    const allowed = administrator || members.has(arn) || members.has(account);
    logger.info(allowed ? 'let a principal in' : 'turned a principal away', { principal: arn, session });
    return { principal, allowed, administrator };
  };
}

/** Bytes of JSON: API Gateway hands on 8 KB of what an authorizer says, and answers as if that had failed where it is more. */
const LARGEST = 7_500;

/** @throws {RefusedError} too many groups */
function refuseLarge(identity: Identity): Identity {
  if (Buffer.byteLength(JSON.stringify(identityContext(identity))) > LARGEST) throw new RefusedError('size');
  return identity;
}

async function judged<Who>(verifying: Promise<Who>, { logger, metrics }: AdmitOptions): Promise<Who> {
  try {
    return await verifying;
  } catch (error) {
    if (error instanceof RefusedError) {
      logger.info('refused a token', { check: error.check });
      metrics.record('RefusedTokens', 1);
    } else {
      metrics.record('UncheckedLogins', 1);
    }
    throw error;
  }
}
