import { once } from 'node:events';
import http, { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { Readable } from 'node:stream';
import { sendRefusal } from '../loopback-guard/index.ts';

/** The server that a proxy passes requests on to. */
export interface Upstream {
  /** With the path that all requests begin with, if there is one. */
  readonly url: string;
  /** The headers of the login, and the settings of TLS, for one request. */
  credentials(): Promise<RequestOptions>;
  /** Explains in a sentence why a request got no answer. */
  explain(error: unknown): string;
}

/** A request to an upstream. */
export interface Question {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** In lower case. They replace those of the login. */
  readonly headers: OutgoingHttpHeaders;
  readonly signal: AbortSignal;
  readonly body?: Readable | undefined;
}

/** Sends a request to an upstream with its login, and returns the beginning of the answer. */
export async function askUpstream(
  question: Question,
  { url, credentials }: Upstream,
): Promise<IncomingMessage> {
  const { method, target, signal, body } = question;
  const { headers: login, ...trust } = await credentials();
  const { pathname, search } = new URL(target, 'http://localhost');
  const destination = new URL(url);
  destination.pathname = `${destination.pathname.replace(/\/$/, '')}${pathname}`;
  destination.search = search;
  const headers = { ...lowerCased(login), ...question.headers };
  const client = destination.protocol === 'https:' ? https : http;
  const sent = client.request(destination, { ...trust, method, headers, signal });
  // An error after the answer has begun is also an error of the answer.
  sent.on('error', () => {});
  (body ?? Readable.from([])).pipe(sent);
  const [answer] = await once(sent, 'response');
  return answer as IncomingMessage;
}

/**
 * Answers a request by `pass`, whose signal is aborted when the client leaves. Without an answer of the upstream, the
 * client gets a 503 with the reason.
 */
export async function answering(
  response: ServerResponse,
  upstream: Upstream,
  pass: (left: AbortSignal) => Promise<void>,
): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  try {
    await pass(left.signal);
  } catch (error) {
    if (left.signal.aborted || response.headersSent) return void response.destroy();
    sendRefusal(response, {
      code: 503,
      reason: 'ServiceUnavailable',
      message: upstream.explain(error),
    });
  }
}

function lowerCased(headers: RequestOptions['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}
