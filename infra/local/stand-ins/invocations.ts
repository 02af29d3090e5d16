import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { type FunctionName, functionNames } from '../../../lib/platform/index.ts';
import { listenOn } from '../listen-on.ts';

/** What Lambda is to functions that invoke others. */
export interface Invocations {
  /** With a path that nobody else on this machine can guess. */
  readonly endpoint: string;
  /** From when on there are functions. */
  serve(invoke: Invoke): void;
  stop(): Promise<void>;
}

type Invoke = (name: FunctionName, event: unknown) => Promise<unknown>;

/** `POST /2015-03-31/functions/<name>/invocations`, whose invocations are waited for. */
export async function startInvocations(): Promise<Invocations> {
  const path = `/${randomUUID()}`;
  let invoke: Invoke = () => Promise.reject(new Error('there are no functions yet'));
  const server = createServer(async (request, response) => {
    const [, before, , , name] = String(request.url).split('/');
    const found = functionNames.find((one) => one === name);
    if (`/${before}` !== path || found === undefined) {
      response.writeHead(404, { 'x-amzn-errortype': 'ResourceNotFoundException' }).end('{}');
      return;
    }
    try {
      const result = await invoke(found, await json(request));
      response.writeHead(200).end(JSON.stringify(result ?? null));
    } catch (error) {
      const errorMessage = error instanceof Error ? error.message : String(error);
      response.writeHead(200, { 'x-amz-function-error': 'Unhandled' }).end(JSON.stringify({ errorMessage }));
    }
  });
  const port = await listenOn(server, 0);
  return {
    endpoint: `http://127.0.0.1:${port}${path}`,
    serve: (given) => {
      invoke = given;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
