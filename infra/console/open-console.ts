import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import {
  judgeRequest,
  type LoopbackServer,
  openServer,
  refusalOf,
  sendRefusal,
} from '../loopback-guard/index.ts';
import type { Upstream } from '../loopback-proxy/index.ts';
import { judgeCall, type Mode } from './judge-call.ts';
import { passOn } from './pass-on.ts';
import { readTarget, type Target } from './read-target.ts';
import { readText } from './read-text.ts';
import { PageServer } from './serve-page.ts';
import { sessionAnswer } from './session-answer.ts';
import { Sessions } from './sessions.ts';

export interface ConsoleOptions extends Mode {
  /** 0 picks a free port. */
  readonly port: number;
  readonly upstream: Upstream;
  /** The name of the connection, for the page. */
  readonly context: string;
  /** The folder with the page's `index.html`; default: that of the console. */
  readonly folder?: string;
  /** Called when a second use of a link has ended a session. */
  onReuse(): void;
}

/** A running console. */
export interface Console extends LoopbackServer {
  /** Returns a new link, which opens one session. An older link that no page has used becomes invalid. */
  newLink(): string;
}

/** The header with the token of a session. A cookie would reach servers on other ports, too. */
const SESSION = 'winnow-session';
const SESSION_PATH = '/session';
/** The most bytes of a request for a session. */
const MOST_BYTES = 1_024;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "worker-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The headers of every answer. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * Starts the server of a console on 127.0.0.1. It serves the page, and passes the requests of its sessions on to Winnow
 * with the login of the user who started it.
 *
 * @throws {Error} it cannot listen on the port
 */
export async function openConsole(options: ConsoleOptions): Promise<Console> {
  const sessions = new Sessions(options.onReuse);
  const page = new PageServer(async () => {
    // esbuild is loaded by the first request for the page, so that the start does not wait for it.
    const { bundlePage, root } = await import('../bundle/index.ts');
    return bundlePage(options.folder ?? join(root, 'console'));
  });
  const server = http.createServer({ requireHostHeader: false }, (request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    answer(request, response, { ...options, sessions, page }).catch(() => response.destroy());
  });
  const { url, stop } = await openServer(server, options.port);
  return { url, stop, newLink: () => `${url}/#code=${sessions.newCode()}` };
}

interface Parts extends ConsoleOptions {
  readonly sessions: Sessions;
  readonly page: PageServer;
}

async function answer(request: IncomingMessage, response: ServerResponse, parts: Parts): Promise<void> {
  const { url = '', rawHeaders } = request;
  const target = readTarget(url);
  const isPage = 'path' in target && isOfPage(request, target);
  const refusal = judgeRequest({ target: url, rawHeaders }, { scheme: 'http', anySite: isPage });
  if (refusal !== undefined) return sendRefusal(response, refusal);
  if (!('path' in target)) return sendRefusal(response, target);
  if (isPage) return parts.page.serve(request, response, target.path);
  if (target.path === SESSION_PATH) return answerSession(request, response, parts);
  if (!target.isApi) {
    return sendRefusal(response, refusalOf(405, `the console's page has no ${request.method} requests`));
  }
  const session = parts.sessions.find(String(request.headers[SESSION] ?? ''));
  if (session === undefined) return sendRefusal(response, NO_SESSION);
  const refused = judgeCall(request, target, parts);
  if (refused !== undefined) return sendRefusal(response, refused);
  session.add(response);
  await passOn(request, response, { target, ...parts });
}

const NO_SESSION = refusalOf(
  401,
  'the request has no valid session: open the link that winnow console printed',
);

function isOfPage({ method }: IncomingMessage, { path, isApi }: Target): boolean {
  return (method === 'GET' || method === 'HEAD') && !isApi && path !== SESSION_PATH;
}

/** POST trades the code of a link for the token of a new session. GET describes the session of a token. */
async function answerSession(
  request: IncomingMessage,
  response: ServerResponse,
  parts: Parts,
): Promise<void> {
  const { sessions, upstream } = parts;
  if (request.method === 'POST') {
    const code = await codeIn(request);
    const token = sessions.begin(code);
    if (token === undefined) {
      return sendRefusal(response, sessions.wasUsedTwice(code) ? USED_CODE : INVALID_CODE);
    }
    return sendJson(response, { token, ...(await sessionAnswer(upstream, parts)) });
  }
  if (request.method !== 'GET') {
    return sendRefusal(response, refusalOf(405, `use POST or GET for ${SESSION_PATH}`));
  }
  const session = sessions.find(String(request.headers[SESSION] ?? ''));
  if (session === undefined) return sendRefusal(response, NO_SESSION);
  sendJson(response, await sessionAnswer(upstream, parts));
}

const INVALID_CODE = refusalOf(
  401,
  'the link is not valid, or a newer link replaced it: press Enter where Winnow runs, and open the new link',
);
const USED_CODE = refusalOf(
  401,
  'this link was used already, so Winnow ended the session: press Enter where Winnow runs for a new link',
);

/** The code in the body of a request; empty if there is none. */
async function codeIn(request: IncomingMessage): Promise<string> {
  const text = await readText(request, MOST_BYTES);
  try {
    const { code } = JSON.parse(text ?? '');
    return typeof code === 'string' ? code : '';
  } catch {
    return '';
  }
}

function sendJson(response: ServerResponse, value: object): void {
  const body = JSON.stringify(value);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
