import type { OutgoingHttpHeaders, RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { root } from '../../../infra/bundle/index.ts';
import { type Console, type ConsoleOptions, openConsole } from '../../../infra/console/index.ts';
import { listen } from '../listen.ts';
import { openRequest, type RawAnswer, type RawRequest, sendRaw } from '../raw-request.ts';

/** A small page, for tests of what serves it. */
export const TEST_PAGE = join(root, 'test/support/console/page');
export const JSON_TYPE = { 'content-type': 'application/json' };

/** A console with an open session. */
export interface TestConsole extends Console {
  /** The header of the session. */
  readonly session: OutgoingHttpHeaders;
  /** The number of links that were used twice. */
  reused(): number;
  /** Sends a request of the session. */
  send(path: string, request?: RawRequest): Promise<RawAnswer>;
  /** The same; returns the beginning of the answer. */
  open(path: string, request?: RawRequest): ReturnType<typeof openRequest>;
}

/** Opens a console of an endpoint, and a session. */
export async function openTestConsole(
  url: string,
  options: Partial<ConsoleOptions> = {},
): Promise<TestConsole> {
  let reused = 0;
  const console = await openConsole({
    port: 0,
    context: 'test',
    readOnly: false,
    secrets: false,
    folder: TEST_PAGE,
    upstream: {
      url,
      credentials: async () => ({ headers: { Authorization: 'Bearer own' } }),
      explain: (error) => `it failed: ${(error as NodeJS.ErrnoException).code}`,
    },
    onReuse: () => (reused += 1),
    ...options,
  });
  const { token } = JSON.parse((await begin(console.url, codeOf(console.newLink()))).text);
  const session = { 'winnow-session': token };
  const withSession = (request: RawRequest = {}) => ({
    ...request,
    headers: { ...session, ...request.headers },
  });
  return {
    ...console,
    session,
    reused: () => reused,
    send: (path, request) => sendRaw(console.url, path, withSession(request)),
    open: (path, request) => openRequest(console.url, path, withSession(request)),
  };
}

/** The code in a link. */
export function codeOf(link: string): string {
  return new URLSearchParams(new URL(link).hash.slice(1)).get('code') ?? '';
}

/** Trades a code for a session. */
export function begin(url: string, code: string): Promise<RawAnswer> {
  return sendRaw(url, '/session', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ code }) });
}

/** A server that answers like the given listener, for a console. */
export async function serveApi(api: RequestListener): ReturnType<typeof listen> {
  return listen(createServer(api));
}
