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

/** The verifiers, and the principals that may log in. */
export interface AdmitOptions {
  readonly verify: Verify;
  /** Verifies tokens that are not AWS tokens; undefined if they are refused. */
  readonly verifyJwt?: VerifyJwt | undefined;
  /** ARNs of the principals that may do everything. */
  readonly principals: ReadonlySet<string>;
  /** ARNs of other principals that may log in, and ids of accounts, whose principals may all log in. */
  readonly members: ReadonlySet<string>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** An authenticated AWS principal, and whether it may log in. */
export interface PrincipalAdmission {
  readonly principal: Principal;
  readonly identity?: undefined;
  readonly allowed: boolean;
  /** Whether it may do everything. Roles and bindings decide for other principals. */
  readonly administrator: boolean;
}

/** A user that an issuer of tokens authenticated. Roles and bindings decide what the user may do. */
export interface IdentityAdmission {
  readonly identity: Identity;
  readonly allowed: true;
}

/** The result of a login. */
export type Admission = PrincipalAdmission | IdentityAdmission;

/**
 * Authenticates an Authorization header.
 *
 * @throws {RefusedError} the header holds no valid token.
 * @throws {Error} the token could not be checked.
 */
export type Admit = (authorization: string | undefined) => Promise<Admission>;

/**
 * Creates the login. It accepts tokens of `aws eks get-token` for this deployment, from principals and accounts that
 * the deployment names. It also accepts tokens of the issuers that the deployment names. It logs each decision.
 */
export function createAdmit(options: AdmitOptions): Admit {
  const { principals, members, logger } = options;
  return async (authorization) => {
    const token = /^bearer +([^ ]+)$/i.exec(authorization ?? '')?.[1];
    if (options.verifyJwt !== undefined && token !== undefined && !token.startsWith(TOKEN_PREFIX)) {
      const identity = await judged(options.verifyJwt(token).then(refuseLarge), options);
      logger.info('a user logged in', { user: identity.username });
      return { identity, allowed: true };
    }
    const principal = await judged(options.verify(token ?? ''), options);
    const { arn, account, session } = principal;
    const administrator = principals.has(arn);
    const allowed = administrator || members.has(arn) || members.has(account);
    logger.info(allowed ? 'a principal logged in' : 'a principal may not log in', {
      principal: arn,
      session,
    });
    return { principal, allowed, administrator };
  };
}

/**
 * Bytes of JSON. API Gateway passes on 8 KB of an authorizer's context; with more it treats the authorizer as failed.
 */
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
