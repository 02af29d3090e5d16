import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { type FunctionName, functionNames } from '../../../lib/platform/index.ts';
import { listenOn } from '../../loopback-guard/index.ts';

/** A local stand-in for Lambda, for functions that invoke others. */
export interface Invocations {
  /** The endpoint. Other users of this machine cannot guess its path. */
  readonly endpoint: string;
  /** Sets the invoker, once the functions are loaded. */
  serve(invoke: Invoke): void;
  stop(): Promise<void>;
}

type Invoke = (name: FunctionName, event: unknown) => Promise<unknown>;

/** Serves `POST /2015-03-31/functions/<name>/invocations`, and answers after the invocation has ended. */
export async function startInvocations(): Promise<Invocations> {
  const path = `/${randomUUID()}`;
  let invoke: Invoke = () => Promise.reject(new Error('the functions are not loaded yet'));
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
