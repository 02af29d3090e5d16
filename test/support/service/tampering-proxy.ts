import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { eventually } from '../eventually.ts';
import { listen } from '../listen.ts';

/**
 * What becomes of a request: it is passed on, answered here, held, or its answer is changed. Or the server gets it, and
 * the connection breaks before or within the answer.
 */
export type Tampering =
  | undefined
  | 'silence'
  | 'lost'
  | 'cut'
  | { readonly status: number; readonly body: string; readonly headers?: Record<string, string> }
  | ((answer: string) => string);

export interface TamperingProxy {
  readonly url: string;
  /** `GET /version` of every request, oldest first. */
  readonly requests: readonly string[];
  /** Asked for each request. */
  tamper: (method: string, path: string) => Tampering;
  /** Waits for the next request that matches. */
  next(pattern: RegExp): Promise<string>;
  /** Breaks every open connection. */
  cut(): void;
  stop(): Promise<void>;
}

/** Stands in front of an HTTP API, streams and all; without a target it passes nothing on. */
export async function startTamperingProxy(target?: string): Promise<TamperingProxy> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request;
    requests.push(`${method} ${url}`);
    const tampering = proxy.tamper(method, url);
    if (tampering === 'silence') {
      response.writeHead(200).flushHeaders();
    } else if (typeof tampering === 'object') {
      response.writeHead(tampering.status, tampering.headers).end(tampering.body);
    } else if (target !== undefined) pass(request, response, { target, tampering });
  });
  const { url, stop } = await listen(server);
  const proxy: TamperingProxy = {
    url,
    stop,
    requests,
    tamper: () => undefined,
    cut: () => server.closeAllConnections(),
    next: (pattern) => {
      const from = requests.length;
      return eventually(`a request ${pattern}`, () => requests.slice(from).find((one) => pattern.test(one)));
    },
  };
  return proxy;
}

interface Passing {
  readonly target: string;
  readonly tampering: 'lost' | 'cut' | ((answer: string) => string) | undefined;
}

function pass(request: IncomingMessage, response: ServerResponse, { target, tampering }: Passing): void {
  // What is compressed cannot be changed.
  const { 'accept-encoding': _encoding, ...headers } = request.headers;
  const { method, url } = request;
  const cut = () => response.destroy();
  const change = typeof tampering === 'function' ? tampering : undefined;
  const onward = send(`${target}${url}`, { method, headers }, (answer) => {
    if (tampering === 'lost') return cut();
    const { 'content-length': _length, ...kept } = answer.headers;
    response.writeHead(answer.statusCode ?? 500, kept).flushHeaders();
    answer
      .setEncoding('utf8')
      .on('error', cut)
      .on('end', () => response.end());
    // What is changed is a line or a whole answer: those of the API come in one piece.
    answer.on('data', (text: string) => {
      if (tampering === 'cut') return response.write(text.slice(0, text.length / 2), cut);
      response.write(change?.(text) ?? text);
    });
  });
  onward.on('error', cut);
  response.on('close', () => onward.destroy());
  request.on('error', cut).pipe(onward);
}
