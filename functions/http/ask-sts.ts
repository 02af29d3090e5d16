import type { AskSts, StsAnswer } from '../../lib/login/index.ts';

/** Milliseconds for connecting, asking and the whole answer. STS takes a tenth of a second. */
const TIMEOUT = 2_000;
/** STS answers a few hundred bytes. */
const MAXIMUM_BYTES = 16 * 1024;
const ATTEMPTS = 2;

export interface AskStsOptions {
  /** An emulator's STS, asked instead of the host that a token names. */
  readonly endpoint?: string | undefined;
  /** Milliseconds for one attempt; 2,000 by default. */
  readonly timeout?: number;
}

/** STS over HTTPS. Follows no redirect, and tries again once when there is no answer. */
export function createAskSts({ endpoint, timeout = TIMEOUT }: AskStsOptions = {}): AskSts {
  return async ({ host, query, clusterId }) => {
    const url = `${endpoint ?? `https://${host}`}/?${query}`;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask(url, clusterId, timeout);
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
      }
    }
  };
}

async function ask(url: string, clusterId: string, timeout: number): Promise<StsAnswer> {
  const response = await fetch(url, {
    headers: { 'x-k8s-aws-id': clusterId },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeout),
  });
  return { status: response.status, body: await readBounded(response) };
}

async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAXIMUM_BYTES) throw new Error(`STS answered more than ${MAXIMUM_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
