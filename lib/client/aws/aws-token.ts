import type { TokenSource } from '../objects/index.ts';
import { environmentCredentials } from './credentials.ts';
import { type AwsCredentials, signToken } from './sign-token.ts';

export interface AwsTokenOptions {
  /** The output `ClusterId` of the stack. Tokens for one stack are invalid at another. */
  readonly clusterId: string;
  /** A region of the stack's partition, for example the stack's own. Default: `AWS_REGION`. */
  readonly region?: string | undefined;
  /**
   * The credentials of the principal that logs in, or a function that returns them, such as a provider of the AWS SDK.
   * Default: those of the environment variables, or of the endpoint of ECS and EKS.
   */
  readonly credentials?: AwsCredentials | (() => Promise<AwsCredentials>) | undefined;
}

/** How long Winnow accepts a token, in ms. */
const LIFETIME = 14 * 60_000;
/** How long before the end of a token another one is signed, in ms. */
const MARGIN = 60_000;

/**
 * Returns the option `token` of `connect` for a Winnow in AWS: it logs in as an IAM principal. It signs a token at the
 * first request, a minute before the end of the last one, and after a 401.
 *
 * @throws {TypeError} there is no region
 */
export function awsToken({ clusterId, region, credentials }: AwsTokenOptions): TokenSource {
  const { AWS_REGION, AWS_DEFAULT_REGION } = typeof process === 'undefined' ? {} : process.env;
  const where = region ?? (AWS_REGION || AWS_DEFAULT_REGION);
  if (!where) throw new TypeError('there is no region: set the option region, or AWS_REGION');
  let held: { readonly token: string; readonly end: number } | undefined;
  let signing: Promise<{ readonly token: string; readonly end: number }> | undefined;

  const sign = async () => {
    const find = credentials ?? environmentCredentials;
    const found = typeof find === 'function' ? await find() : find;
    const now = Date.now();
    const token = await signToken({ clusterId, region: where, credentials: found, date: new Date(now) });
    // The token is refused when its credentials end.
    const end = Math.min(now + LIFETIME, found.expiration?.getTime() ?? Number.POSITIVE_INFINITY);
    return { token, end };
  };

  return async (refused) => {
    if (held !== undefined && held.token !== refused && Date.now() < held.end - MARGIN) return held.token;
    signing ??= sign().finally(() => {
      signing = undefined;
    });
    held = await signing;
    return held.token;
  };
}
