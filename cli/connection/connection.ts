import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../lib/json/index.ts';
import type { Answer } from '../client.ts';
import { explainFailure } from './explain-failure.ts';
import { explainInput } from './explain-input.ts';
import { explainStatus } from './explain-status.ts';
import type { Reply } from './reply.ts';

/** The URL and the login of an endpoint. */
export interface Access {
  /** Without a slash at its end. */
  readonly url: string;
  /** The context of the kubeconfig; undefined if the endpoint is not from a kubeconfig. */
  readonly context?: string | undefined;
  /** A description of the kubeconfig's login; undefined if it has none. */
  readonly login: string | undefined;
  /** The ARN of that login in AWS; undefined if it is unknown. */
  whoAmI(): Promise<string | undefined>;
  /** TLS settings, and the headers of the login unless `anonymous`. Rejects with a Fault. */
  credentials(anonymous: boolean): Promise<RequestOptions>;
}

interface Sending {
  readonly body?: JsonObject;
  readonly contentType?: string;
  /** Sends the request without the login. */
  readonly anonymous?: boolean;
  /** Completes the request even if the user interrupts the command. */
  readonly uninterrupted?: boolean;
}

/** The longest wait for an answer, in ms; the server's own limit is 25 s. */
const ANSWER_WITHIN = 30_000;
/** The most attempts for a request whose answers have a `Retry-After`. */
const ATTEMPTS = 4;

/** A connection to an endpoint, which may be any server in any state. Every failure becomes a Fault. */
export class Connection {
  readonly access: Access;
  readonly #signal: AbortSignal;

  /** Aborting `signal` ends every request, which rejects with the signal's reason. */
  constructor(access: Access, signal: AbortSignal) {
    this.access = access;
    this.#signal = signal;
  }

  /** Sends a request, and repeats it after a `Retry-After`, as Kubernetes clients do. */
  async send(method: string, path: string, sending: Sending = {}): Promise<Reply> {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.#sendOnce(method, path, sending);
      if (reply.retryAfter === undefined || attempt === ATTEMPTS) return reply;
      await sleep(reply.retryAfter * 1_000, undefined, { signal: this.#signal });
    }
  }

  async #sendOnce(method: string, path: string, sending: Sending): Promise<Reply> {
    const inTime = AbortSignal.timeout(ANSWER_WITHIN);
    const signal = sending.uninterrupted ? inTime : AbortSignal.any([this.#signal, inTime]);
    const response = await this.#request(method, path, { ...sending, signal });
    const text = await readText(response).catch((error) => this.#fail(error));
    return replyOf(response, text);
  }

  /** Like {@link send}, but throws a Fault unless the request succeeds with a JSON object. */
  async ask(method: string, path: string, sending?: Sending): Promise<Answer['body']> {
    const reply = await this.send(method, path, sending);
    if (reply.status >= 400 || reply.body === undefined) throw explainStatus(reply, `${method} ${path}`);
    return reply.body;
  }

  /** Like {@link ask}, for a request that contains what the user typed: the Fault has the endpoint's own message. */
  async askInput(method: string, path: string, sending?: Sending): Promise<Answer['body']> {
    const reply = await this.send(method, path, sending);
    if (reply.status >= 400 || reply.body === undefined) throw explainInput(reply, `${method} ${path}`);
    return reply.body;
  }

  merge(path: string, body: JsonObject): Promise<Answer['body']> {
    return this.ask('PATCH', path, { body, contentType: 'application/merge-patch+json' });
  }

  /** Yields the lines of an answer as they arrive, until it ends or `signal` is aborted. */
  async *lines(path: string, signal: AbortSignal): AsyncGenerator<string> {
    const response = await this.#request('GET', path, { signal: AbortSignal.any([this.#signal, signal]) });
    if (response.statusCode !== 200) {
      const text = await readText(response);
      throw explainStatus(replyOf(response, text), `GET ${path}`);
    }
    try {
      yield* splitLines(response.setEncoding('utf8'));
    } catch (error) {
      this.#fail(error);
    }
  }

  async #request(
    method: string,
    path: string,
    { body, contentType = 'application/json', anonymous = false, signal }: Sending & { signal: AbortSignal },
  ): Promise<IncomingMessage> {
    const { headers, ...trust } = await this.access.credentials(anonymous);
    this.#signal.throwIfAborted();
    const url = new URL(`${this.access.url}${path}`);
    const sent = body === undefined ? undefined : JSON.stringify(body);
    // Node does not set the length of a DELETE's body, and the server would take the body for the next request.
    const describing =
      sent === undefined ? {} : { 'content-type': contentType, 'content-length': Buffer.byteLength(sent) };
    const options = {
      ...trust,
      method,
      signal,
      headers: { ...headers, ...describing, accept: 'application/json' },
    };
    const request = (url.protocol === 'https:' ? https : http).request(url, options);
    // A request that is aborted later still emits an error.
    request.on('error', () => {});
    request.end(sent);
    try {
      const [response] = await once(request, 'response', { signal });
      return response;
    } catch (error) {
      return this.#fail(signal.aborted ? signal.reason : error);
    }
  }

  #fail(error: unknown): never {
    this.#signal.throwIfAborted();
    throw explainFailure(error, this.access.url);
  }
}

async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function replyOf({ statusCode: status = 0, headers }: IncomingMessage, text: string): Reply {
  const seconds = Number(headers['retry-after']);
  const retry = status >= 429 && seconds >= 0 ? { retryAfter: seconds } : {};
  return { status, text, body: parseObject(text), ...retry };
}

function parseObject(text: string): Answer['body'] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Answer['body']) : undefined;
  } catch {
    return undefined;
  }
}
