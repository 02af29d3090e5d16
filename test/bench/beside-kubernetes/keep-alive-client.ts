import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { buffer } from 'node:stream/consumers';

export interface ClientOptions {
  readonly port: number;
  /** Absent if the server requires none. */
  readonly token?: string;
}

export interface Body {
  readonly body?: unknown;
  readonly type?: string;
}

export interface ClientAnswer {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** What a watch tells: the type of an event, and the name of its object. */
export type OnEvent = (type: string, name: string) => void;

/** A client of an API on loopback, over HTTPS connections that stay open. */
export class KeepAliveClient {
  readonly #options: RequestOptions;

  constructor({ port, token }: ClientOptions) {
    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
    const login = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = { accept: 'application/json', ...login };
    this.#options = { host: '127.0.0.1', port, agent, headers };
  }

  /**
   * Sends a request, and reads the whole answer.
   *
   * @throws {Error} the status is 400 or above.
   */
  async ask(
    method: string,
    path: string,
    { body, type = 'application/json' }: Body = {},
  ): Promise<ClientAnswer> {
    const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const response = await this.#open(
      method,
      path,
      sent === undefined ? {} : { 'content-type': type, 'content-length': sent.byteLength },
      sent,
    );
    return { headers: response.headers, bytes: await buffer(response) };
  }

  /** Opens a watch. Resolves with a function that leaves it. */
  async watch(path: string, onEvent: OnEvent): Promise<() => void> {
    const response = await this.#open('GET', path, {}, undefined);
    let rest = '';
    response.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '') continue;
        const { type, object } = JSON.parse(line);
        onEvent(type, object.metadata?.name ?? '');
      }
    });
    // The connection ends when the watch is left.
    response.on('error', () => {});
    return () => void response.destroy();
  }

  async #open(
    method: string,
    path: string,
    headers: Readonly<Record<string, string | number>>,
    body: Buffer | undefined,
  ): Promise<IncomingMessage> {
    const options = { ...this.#options, method, path, headers: { ...this.#options.headers, ...headers } };
    const asking = request(options);
    const answered = once(asking, 'response');
    asking.end(body);
    const [response] = (await answered) as [IncomingMessage];
    if ((response.statusCode ?? 0) < 400) return response;
    const text = (await buffer(response)).toString();
    throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
  }
}
