import { setTimeout as sleep } from 'node:timers/promises';

/** A client of the API. */
export interface ApiClient {
  /**
   * Sends a request. Returns the body, or undefined if the object does not exist.
   *
   * @throws {Error} the status is neither 2xx nor 404; the message is the API's.
   */
  ask(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Sends a request that must succeed, and returns the warnings of the answer. @throws {Error} as `ask` */
  warningsOf(method: string, path: string, body: unknown): Promise<readonly string[]>;
}

export interface ApiClientOptions {
  /** It ends with a slash. */
  readonly url: string;
  /** Returns a token that is valid now. */
  readonly token: () => Promise<string>;
}

const NOT_FOUND = 404;
/** The answers after which a request is repeated. Every request of this client may be sent again. */
const BUSY = new Set([429, 503, 504]);
const TRIES = 8;

/** Creates a client of the API that authenticates each request with a token. */
export function createApiClient({ url, token }: ApiClientOptions): ApiClient {
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = {
      authorization: `Bearer ${await token()}`,
      'content-type': 'application/apply-patch+yaml',
    };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await repeated(() => fetch(`${url}${path}`, { method, headers, ...text }));
    const answer = (await response.json()) as { message?: string };
    const isMissing = response.status === NOT_FOUND && body === undefined;
    if (!response.ok && !isMissing) {
      throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
    }
    return { answer: isMissing ? undefined : answer, warning: response.headers.get('warning') ?? '' };
  };
  return {
    ask: async (method, path, body) => (await send(method, path, body)).answer,
    warningsOf: async (method, path, body) => {
      const { warning } = await send(method, path, body);
      const texts = warning.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g);
      return Array.from(texts, ([, text = '']) => text.replace(/\\(.)/g, '$1'));
    },
  };
}

/** Sends a request until the answer is another one than "too busy", eight times at most. */
async function repeated(send: () => Promise<Response>): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await send();
    if (!BUSY.has(response.status) || tries === TRIES) return response;
    await response.body?.cancel();
    const seconds = Number(response.headers.get('retry-after') ?? 1);
    // Kinds that CloudFormation creates side by side come back one after the other.
    await sleep(Math.min(seconds, 5) * 1_000 * (0.5 + Math.random()));
  }
}
