/**
 * A process that is to a function what Lambda is: loads it, hands it one event, prints a {@link ColdStart}.
 * Its arguments are the module's file and a JSON of the event. It is bundled, as the TypeScript compiler inside
 * Node would take part otherwise.
 */
import { subscribe } from 'node:diagnostics_channel';
import { pathToFileURL } from 'node:url';
import { installStreaming } from '../../../infra/local/response-streaming.ts';
import { ask } from '../ask.ts';

/** How often each service was asked. */
export interface Requests {
  dynamodb: number;
  sqs: number;
}

export interface ColdStart {
  /** Milliseconds from the import of the module to its end. */
  readonly load: number;
  /** Milliseconds from the event to the end of the answer. */
  readonly first: number;
  readonly requests: Requests;
  /** What the handler returned, or the status and headers of what it streamed. */
  readonly answer: unknown;
}

/**
 * What Lambda's own runtime has loaded before a function, and by the same way: an import would load much more.
 * https://github.com/aws/aws-lambda-nodejs-runtime-interface-client
 */
const LOADED = ['node:async_hooks', 'node:http', 'node:net'];

async function start(file: string, event: unknown): Promise<ColdStart> {
  for (const builtin of LOADED) process.getBuiltinModule(builtin);
  installStreaming();
  const requests = countRequests();
  const url = pathToFileURL(file).href;
  const begin = performance.now();
  const { handler } = await import(url);
  const loaded = performance.now();
  const answer = await ask(handler, event);
  return { load: loaded - begin, first: performance.now() - loaded, requests, answer };
}

function countRequests(): Requests {
  const requests = { dynamodb: 0, sqs: 0 };
  subscribe('http.client.request.start', (message) => {
    const { request } = message as { request: { getHeader(name: string): unknown } };
    requests[/sqs/i.test(String(request.getHeader('x-amz-target'))) ? 'sqs' : 'dynamodb'] += 1;
  });
  return requests;
}

const [file = '', event = 'null'] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await start(file, JSON.parse(event))), () => process.exit());
