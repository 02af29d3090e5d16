import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { text as readText } from 'node:stream/consumers';

export interface RawRequest {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request as it is, and returns the beginning of the answer. `fetch` would change the path and some headers. */
export async function openRequest(
  url: string,
  path: string,
  { method, headers, body }: RawRequest = {},
): Promise<IncomingMessage> {
  const { port } = new URL(url);
  const request = http.request({ host: '127.0.0.1', port, path, method, headers, agent: false }).end(body);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return answer;
}

/** The same, with the whole answer. */
export async function sendRaw(url: string, path: string, request?: RawRequest): Promise<RawAnswer> {
  const answer = await openRequest(url, path, request);
  return { status: answer.statusCode ?? 0, headers: answer.headers, text: await readText(answer) };
}
