import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../listen.ts';

/**
 * What happens to one request: nothing, it is lost before it was done or its answer after, it is never answered,
 * or an error of the service is its answer. What is lost is told as HTTP 500, for in jest's realms the SDK does
 * not know the error of a broken socket.
 */
export type WireFault =
  | undefined
  | 'request lost'
  | 'answer lost'
  | 'silence'
  | { readonly error: string; readonly status?: number; readonly details?: object };

const LOST = { error: 'InternalServerError', status: 500 };

export interface FaultyDynamo {
  readonly endpoint: string;
  /** Asked for each request, by the name of its operation and its JSON. */
  fault: (operation: string, body: string) => WireFault;
  stop(): Promise<void>;
}

/** Stands between the SDK and a database: what goes wrong on the way goes wrong here, over a real connection. */
export async function startFaultyDynamo(target: string): Promise<FaultyDynamo> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const fault = faulty.fault(operation, body.toString());
    if (fault === 'silence') return;
    if (fault === 'request lost') return sendError(response, LOST);
    if (typeof fault === 'object') return sendError(response, fault);
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const forwarded = await fetch(target, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body,
    });
    const content = Buffer.from(await forwarded.arrayBuffer());
    if (fault === 'answer lost') return sendError(response, LOST);
    response.writeHead(forwarded.status, { 'content-type': 'application/x-amz-json-1.0' }).end(content);
  }

  const { url, stop } = await listen(server);
  const faulty: FaultyDynamo = {
    endpoint: url,
    fault: () => undefined,
    stop,
  };
  return faulty;
}

function sendError(
  response: ServerResponse,
  { error, status = 400, details }: Extract<WireFault, object>,
): void {
  const body = { __type: `com.amazonaws.dynamodb.v20120810#${error}`, message: error, ...details };
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
}
