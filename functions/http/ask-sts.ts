import * as http from 'node:http';
import * as https from 'node:https';
import type { AskSts, StsAnswer, StsRequest } from '../../lib/login/index.ts';
import { readBounded } from '../outgoing/index.ts';

/** The time for a whole exchange with STS, in ms. STS usually takes a tenth of a second. */
const TIMEOUT = 2_000;
/** The longest answer. STS sends a few hundred bytes. */
const MAXIMUM_BYTES = 16 * 1024;
const ATTEMPTS = 2;

export interface AskStsOptions {
  /** An emulator's STS, used instead of the host that a token names. */
  readonly endpoint?: string | undefined;
  /** The time for one attempt in ms; default: 2,000. */
  readonly timeout?: number;
}

/** Creates a client of STS over HTTPS. It follows no redirect, and retries once if there is no answer. */
export function createAskSts({ endpoint, timeout = TIMEOUT }: AskStsOptions = {}): AskSts {
  return async (request) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask(request, endpoint, AbortSignal.timeout(timeout));
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
      }
    }
  };
}

/**
 * Sends one request. The signature covers the host in the token, so an emulator gets that host in the `Host` header.
 */
function ask(
  { host, query, clusterId }: StsRequest,
  endpoint: string | undefined,
  signal: AbortSignal,
): Promise<StsAnswer> {
  const { request } = endpoint?.startsWith('http:') ? http : https;
  // An emulator's certificate is for its own address.
  const servername = endpoint === undefined ? host : '';
  const options = { headers: { host, 'x-k8s-aws-id': clusterId }, servername, signal };
  return new Promise((resolve, reject) => {
    request(`${endpoint ?? `https://${host}`}/?${query}`, options, (response) => {
      const { statusCode: status = 0 } = response;
      readBounded(response, MAXIMUM_BYTES).then((body) => resolve({ status, body }), reject);
    })
      .once('error', reject)
      .end();
  });
}
