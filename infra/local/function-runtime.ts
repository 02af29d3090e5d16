import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import type { FunctionName } from '../../lib/platform/index.ts';
import type { Bundle } from '../bundle/index.ts';
import type { FunctionDefinition } from './definition.ts';
import { installStreaming, isStreaming, type ResponseStream } from './response-streaming.ts';

/** Hooks with which tests inject faults. */
export interface Fault {
  /** Called before each invocation. It may delay the invocation, or reject, so that the handler does not run. */
  beforeInvoke?(functionName: FunctionName, event: unknown): Promise<void>;
  /** Returns the endpoint that the functions use for the database. */
  betweenDatabase?(endpoint: string): Promise<string>;
  /** Returns the endpoint that the functions use for the queues. */
  betweenQueues?(endpoint: string): Promise<string>;
  /** Returns the bundles to load instead of the built ones. */
  bundles?(built: readonly Bundle[]): Promise<readonly Bundle[]>;
  /** Called after each invocation, successful or not. */
  afterInvoke?(functionName: FunctionName, event: unknown): void;
}

export interface FunctionRuntimeOptions {
  readonly functions: ReadonlyMap<FunctionName, FunctionDefinition>;
  readonly bundles: readonly Bundle[];
  readonly region: string;
  readonly fault?: Fault | undefined;
}

/** Runs the functions' handlers in this process, as Lambda's Node runtime would. */
export interface FunctionRuntime {
  /**
   * Invokes a handler. Resolves to its result; rejects with its error, or after its timeout. Unlike Lambda, it cannot
   * stop the code of a handler after its timeout. A handler that streams needs a stream.
   */
  invoke(name: FunctionName, event: unknown, stream?: ResponseStream): Promise<unknown>;
  /** Resolves when no invocation is running. */
  idle(): Promise<void>;
}

type Handler = (event: unknown, context: Context) => Promise<unknown>;

/** Loads the bundles. No other code may use their modules. Set the functions' environment before this call. */
export async function loadFunctions(options: FunctionRuntimeOptions): Promise<FunctionRuntime> {
  installStreaming();
  const loaded = await Promise.all(
    options.bundles.map(async ({ name, file }) => {
      const module = await import(pathToFileURL(file).href);
      return [name, module.handler as Handler] as const;
    }),
  );
  const handlers = new Map(loaded);
  const running = new Set<Promise<unknown>>();

  const run = async (name: FunctionName, event: unknown, stream?: ResponseStream): Promise<unknown> => {
    const handler = handlers.get(name);
    const definition = options.functions.get(name);
    if (!handler || !definition) throw new Error(`unknown function ${name}`);
    await options.fault?.beforeInvoke?.(name, event);
    const context = createContext(definition, options.region);
    if (!isStreaming(handler)) return withTimeout(handler(event, context), definition);
    if (!stream) throw new Error(`${name} streams its response`);
    return withTimeout(handler(event, stream, context), definition);
  };

  return {
    invoke: (name, event, stream) => {
      const invocation = run(name, event, stream);
      running.add(invocation);
      const done = () => {
        running.delete(invocation);
        options.fault?.afterInvoke?.(name, event);
      };
      invocation.then(done, done);
      return invocation;
    },
    idle: async () => {
      await Promise.allSettled(running);
    },
  };
}

function createContext(definition: FunctionDefinition, region: string): Context {
  const { name, timeout, memorySize } = definition;
  const end = Date.now() + timeout;
  return {
    functionName: name,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:${region}:000000000000:function:${name}`,
    memoryLimitInMB: String(memorySize),
    awsRequestId: randomUUID(),
    logGroupName: `/aws/lambda/${name}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, end - Date.now()),
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
}

async function withTimeout(work: Promise<unknown>, { name, timeout }: FunctionDefinition): Promise<unknown> {
  const late = Promise.withResolvers<never>();
  const message = `${name}: Task timed out after ${timeout / 1_000} seconds`;
  const timer = setTimeout(() => late.reject(new Error(message)), timeout);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
