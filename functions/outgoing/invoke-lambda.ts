import { SignatureV4 } from '@smithy/signature-v4';
import { SigningHash } from '../../lib/platform/index.ts';
import { readBounded } from './read-bounded.ts';

/** An invocation of a Lambda function that waits for its result. */
export interface Invocation {
  /** The name or the ARN of the function. */
  readonly functionName: string;
  readonly region: string;
  /** The event, as JSON text. */
  readonly event: string;
  readonly signal: AbortSignal;
  /** The longest result, in bytes. */
  readonly maximum: number;
}

/** An invocation without a result: Lambda refused it, or the function failed. */
export class InvocationError extends Error {
  override readonly name = 'InvocationError';
  /** Whether the same invocation may succeed at once: Lambda was busy or failed itself. */
  readonly isRepeatable: boolean;

  constructor(message: string, isRepeatable: boolean) {
    super(message);
    this.isRepeatable = isRepeatable;
  }
}

/**
 * Invokes a Lambda function once, and returns its result as text. The request is signed here: the SDK's client of Lambda
 * is 200 KB of code for each function.
 *
 * @throws {InvocationError}
 */
export async function invokeLambda(invocation: Invocation): Promise<string> {
  const { event, signal, maximum } = invocation;
  const { url, headers } = await signed(invocation);
  const response = await fetch(url, { method: 'POST', headers, body: event, signal });
  const text = response.body === null ? '' : await readBounded(response.body, maximum);
  const fault = response.headers.get('x-amz-function-error');
  if (fault !== null) throw new InvocationError(`${fault}: ${text}`, false);
  if (response.ok) return text;
  throw new InvocationError(messageIn(text), response.status === 429 || response.status >= 500);
}

/** The URL and the signed headers of an invocation. */
async function signed({ functionName, region, event }: Invocation): Promise<{
  readonly url: string;
  readonly headers: Record<string, string>;
}> {
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const { AWS_ENDPOINT_URL_LAMBDA, AWS_ENDPOINT_URL } = process.env;
  const endpoint = AWS_ENDPOINT_URL_LAMBDA ?? AWS_ENDPOINT_URL ?? `https://lambda.${region}.${domain}`;
  const url = new URL(
    `${endpoint.replace(/\/$/, '')}/2015-03-31/functions/${encodeURIComponent(functionName)}/invocations`,
  );
  const signer = new SignatureV4({
    service: 'lambda',
    region,
    credentials: credentials(),
    sha256: SigningHash,
  });
  const { headers } = await signer.sign({
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    headers: { host: url.host, 'content-type': 'application/json' },
    body: event,
  });
  // fetch sets the host itself.
  const { host: _host, ...others } = headers;
  return { url: url.href, headers: others };
}

/** The credentials of this process. Lambda sets them, and renews a process before they end. */
export function credentials() {
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_SESSION_TOKEN } = process.env;
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN !== undefined && { sessionToken: AWS_SESSION_TOKEN }),
  };
}

function messageIn(text: string): string {
  try {
    const { Message, message = Message } = JSON.parse(text);
    return String(message ?? text);
  } catch {
    return text;
  }
}
