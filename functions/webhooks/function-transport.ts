import { SignatureV4 } from '@smithy/signature-v4';
import { SigningHash } from '../../lib/platform/index.ts';
import { type TransportAnswer, TransportError } from '../../lib/server/webhooks/index.ts';
import { readBounded } from '../read-bounded.ts';

/** The longest result, in bytes. Lambda's own limit is twice as large. */
const LONGEST_ANSWER = 3 * 1024 * 1024;
/** The most characters of a function's error that a message quotes. */
const QUOTED = 1_000;

/**
 * Invokes a Lambda function once, with an AdmissionReview as its event. Its result is the answer. The request is signed
 * here: the SDK's client of Lambda would add 20 KB to the code of every write.
 *
 * @param timeout in ms
 * @throws {TransportError} the function failed, or gave no result in time
 */
export async function invokeFunction(arn: string, body: string, timeout: number): Promise<TransportAnswer> {
  const signal = AbortSignal.timeout(timeout);
  try {
    const { url, headers } = await signed(arn, body);
    const response = await fetch(url, { method: 'POST', headers, body, signal });
    const text = response.body === null ? '' : await readBounded(response.body, LONGEST_ANSWER);
    const fault = response.headers.get('x-amz-function-error');
    if (fault !== null) throw new Error(`${fault}: ${text}`);
    if (!response.ok) throw new Error(messageIn(text));
    return { status: 200, text };
  } catch (error) {
    const why = signal.aborted ? 'context deadline exceeded' : messageOf(error);
    throw new TransportError(`Invoke ${JSON.stringify(arn)}: ${why}`, signal.aborted);
  }
}

/** The URL and the signed headers of an invocation. */
async function signed(arn: string, body: string): Promise<{ url: URL; headers: Record<string, string> }> {
  const region = arn.split(':')[3] ?? '';
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const endpoint = process.env.AWS_ENDPOINT_URL_LAMBDA ?? `https://lambda.${region}.${domain}`;
  const url = new URL(`/2015-03-31/functions/${encodeURIComponent(arn)}/invocations`, endpoint);
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
    body,
  });
  // fetch sets the host itself.
  const { host: _host, ...others } = headers;
  return { url, headers: others };
}

/** The credentials of this process. Lambda sets them, and renews a process before they end. */
function credentials() {
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

function messageOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string } };
  return String(cause?.message ?? message ?? error).slice(0, QUOTED);
}
