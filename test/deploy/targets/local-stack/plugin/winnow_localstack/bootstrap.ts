/**
 * A Lambda runtime for Node: requests are lines of JSON on standard input, answers such lines on the pipe ANSWERS,
 * and what the function logs is on standard output. See node_process.py.
 */
import { existsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

interface Request {
  readonly payload: string;
  readonly 'invoke-id': string;
  readonly 'invoked-function-arn': string;
  readonly 'trace-id': string;
  /** Seconds. */
  readonly timeout: number;
}

type Kind = 'ready' | 'init' | 'response' | 'error';
type Handler = (event: unknown, context: object) => Promise<unknown>;

const { ANSWERS, LAMBDA_TASK_ROOT = '', _HANDLER = '', ...environment } = process.env;
const pipe = Number(ANSWERS);
delete process.env.ANSWERS;

/** Written at once: the process may be killed as soon as it has answered. */
function answer(kind: Kind, payload: string): void {
  const bytes = Buffer.from(`${JSON.stringify([kind, payload])}\n`);
  for (let written = 0; written < bytes.length; ) written += writeSync(pipe, bytes, written);
}

function describe(error: unknown): string {
  const { name = 'Error', message = String(error), stack = '' } = error instanceof Error ? error : {};
  return JSON.stringify({ errorType: name, errorMessage: message, trace: stack.split('\n') });
}

/** `index.handler` is the export `handler` of `index.mjs` or `index.js`. */
async function load(): Promise<Handler> {
  const [, file = '', name = ''] = /^(.*)\.([^.]+)$/.exec(_HANDLER) ?? [];
  const path = ['.mjs', '.js', '.cjs'].map((type) => join(LAMBDA_TASK_ROOT, file + type)).find(existsSync);
  if (path === undefined) throw new Error(`Cannot find module '${file}'`);
  const module = await import(pathToFileURL(path).href);
  return module[name];
}

function contextOf(request: Request): object {
  const deadline = Date.now() + request.timeout * 1_000;
  return {
    awsRequestId: request['invoke-id'],
    invokedFunctionArn: request['invoked-function-arn'],
    functionName: environment.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: environment.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: environment.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: environment.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: environment.AWS_LAMBDA_LOG_STREAM_NAME,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(deadline - Date.now(), 0),
  };
}

async function run(handler: Handler, request: Request): Promise<[Kind, string]> {
  process.env._X_AMZN_TRACE_ID = request['trace-id'];
  try {
    const result = await handler(JSON.parse(request.payload), contextOf(request));
    return ['response', JSON.stringify(result) ?? 'null'];
  } catch (error) {
    console.error(error);
    return ['error', describe(error)];
  }
}

const handler = await load().catch((error: unknown) => {
  console.error(error);
  answer('init', describe(error));
  process.exit(1);
});
answer('ready', '');
for await (const line of createInterface({ input: process.stdin })) {
  const outcome = await run(handler, JSON.parse(line));
  // A line of its own that nothing logs: what was logged before the answer stands before it.
  await new Promise((resolve) => process.stdout.write('\0\n', resolve));
  answer(...outcome);
}
// LocalStack has ended.
process.exit(0);
