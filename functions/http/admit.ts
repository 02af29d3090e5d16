import { type Principal, RefusedError, type Verify } from '../../lib/login/index.ts';
import type { Logger, Metrics } from '../../lib/platform/index.ts';

export interface AdmitOptions {
  readonly verify: Verify;
  /** ARNs of the principals that are let in. */
  readonly principals: ReadonlySet<string>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Who it is, and whether they may in. */
export interface Admission {
  readonly principal: Principal;
  readonly allowed: boolean;
}

/**
 * Judges an Authorization header.
 *
 * @throws {RefusedError} it holds no login.
 * @throws {Error} nobody can say now.
 */
export type Admit = (authorization: string | undefined) => Promise<Admission>;

/** Lets in who has a token of `aws eks get-token` for this deployment and is named in it. The log is told. */
export function createAdmit(options: AdmitOptions): Admit {
  const { principals, logger } = options;
  return async (authorization) => {
    const token = /^bearer +([^ ]+)$/i.exec(authorization ?? '')?.[1];
    const principal = await identify(options, token ?? '');
    const allowed = principals.has(principal.arn);
    const { arn, session } = principal;
    logger.info(allowed ? 'let a principal in' : 'turned a principal away', { principal: arn, session });
    return { principal, allowed };
  };
}

async function identify({ verify, logger, metrics }: AdmitOptions, token: string): Promise<Principal> {
  try {
    return await verify(token);
  } catch (error) {
    if (error instanceof RefusedError) {
      logger.info('refused a token', { check: error.check });
    } else {
      metrics.record('UncheckedLogins', 1);
    }
    throw error;
  }
}
