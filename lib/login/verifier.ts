import { createHash } from 'node:crypto';
import type { Clock } from '../platform/index.ts';
import { type Principal, parsePrincipal } from './principal.ts';
import { RefusedError } from './refused-error.ts';
import { stsHosts } from './sts-hosts.ts';
import { parseToken, type Token } from './token.ts';
import { type Verdict, Verdicts } from './verdicts.ts';

/** The GET request of a token: path `/`, with the header `x-k8s-aws-id: <clusterId>`. */
export interface StsRequest {
  readonly host: string;
  readonly query: string;
  readonly clusterId: string;
}

export interface StsAnswer {
  readonly status: number;
  readonly body: string;
}

/** Sends a request to STS: TLS, no redirects, bounded in time and size. Rejects when there is no answer. */
export type AskSts = (request: StsRequest) => Promise<StsAnswer>;

export interface VerifierOptions {
  /** The cluster id that tokens must be signed for. */
  readonly clusterId: string;
  /** The AWS partition whose principals may log in. */
  readonly partition: string;
  readonly ask: AskSts;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Finds the principal of a token.
 *
 * @throws {RefusedError} The token failed a check.
 * @throws {StsUnavailableError} STS did not answer or throttled the request; the token is neither accepted nor refused.
 */
export type Verify = (token: string) => Promise<Principal>;

/** The error for an STS that did not answer, or that throttled the request. The same token may be accepted later. */
export class StsUnavailableError extends Error {
  override name = 'StsUnavailableError';
}

/**
 * In ms: how long after its signing a token is accepted, as `aws eks get-token` documents. STS accepts it for a
 * minute longer, which is how long API Gateway caches an answer.
 */
export const TOKEN_LIFETIME = 14 * 60_000;
/** In ms: how far a client's clock may be ahead. STS allows the same difference. */
const TOKEN_AHEAD = 5 * 60_000;
/** How long a verdict is cached, in ms. A principal that AWS no longer accepts can still log in for this time. */
const KEPT = 60_000;

/** The error codes of a 400 with which STS throttles a request. */
const THROTTLED = /<Code>(?:Throttling|ThrottlingException|ThrottledException|RequestLimitExceeded)<\/Code>/;

/**
 * Creates the verifier. It verifies tokens as EKS does: it sends AWS the presigned request that the token contains.
 * Winnow sets the header itself, so the signature of a token for another cluster does not match.
 */
export function createVerifier({ clusterId, partition, ask, clock }: VerifierOptions): Verify {
  const hosts = stsHosts(partition);
  const verdicts = new Verdicts();

  const judge = async ({ host, query }: Token): Promise<Verdict> => {
    const { status, body } = await ask({ host, query, clusterId }).catch((cause: unknown) => {
      throw new StsUnavailableError('STS did not answer', { cause });
    });
    if (status === 200) {
      const principal = parseCallerIdentity(body);
      return principal?.partition === partition ? principal : new RefusedError('identity');
    }
    if (status === 429 || status < 400 || status >= 500 || THROTTLED.test(body)) {
      throw new StsUnavailableError(`STS answered ${status}`);
    }
    return new RefusedError('sts');
  };

  return async (text) => {
    const token = parseToken(text, hosts);
    const now = clock.now();
    const age = now - token.signedAt;
    // The age is checked every time, also for a cached verdict: no verdict outlives its token.
    if (age >= TOKEN_LIFETIME || age < -TOKEN_AHEAD) throw new RefusedError('age');
    const digest = createHash('sha256').update(text).digest('hex');
    let verdict = verdicts.find(digest, now);
    if (verdict === undefined) {
      verdict = await judge(token);
      verdicts.keep(digest, verdict, now + KEPT);
    }
    if (verdict instanceof RefusedError) throw verdict;
    return verdict;
  };
}

/**
 * Parses STS' answer to GetCallerIdentity. Returns undefined where it is not as documented, or where the account of
 * the ARN differs from the answer's.
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html
 */
function parseCallerIdentity(xml: string): Principal | undefined {
  if (!/^\s*(?:<\?xml[^>]*\?>\s*)?<GetCallerIdentityResponse[\s>]/.test(xml)) return undefined;
  const [arn, account, userId] = ['Arn', 'Account', 'UserId'].map((name) => only(xml, name));
  const principal = parsePrincipal(arn ?? '');
  return userId !== undefined && principal?.account === account ? principal : undefined;
}

/** The text of the only element of that name. Escaped characters do not match: no accepted ARN contains any. */
function only(xml: string, name: string): string | undefined {
  const [found, ...more] = xml.matchAll(new RegExp(`<${name}>([^<>&\\s]+)</${name}>`, 'g'));
  return more.length === 0 ? found?.[1] : undefined;
}
