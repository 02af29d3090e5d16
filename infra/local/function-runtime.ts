import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import type { FunctionName } from '../../lib/platform/index.ts';
import type { Bundle } from '../bundle/index.ts';
import type { FunctionDefinition } from './definition.ts';
import { installStreaming, isStreaming, type ResponseStream } from './response-streaming.ts';

export interface Fault {
  /** Called before each invocation: it may hold the invocation back, or reject so that it fails unseen. */
  beforeInvoke?(functionName: FunctionName, event: unknown): Promise<void>;
  /** What the functions take for the database's endpoint. */
  betweenDatabase?(endpoint: string): Promise<string>;
  /** The same of the queues'. */
  betweenQueues?(endpoint: string): Promise<string>;
  /** What the functions are loaded from, instead of what is built for them. */
  bundles?(built: readonly Bundle[]): Promise<readonly Bundle[]>;
  /** Called when an invocation is over, however it ended. */
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
   * Resolves to what the handler returned; rejects with what it threw, or once its timeout has passed (its
   * code cannot be stopped then, as Lambda would). A handler that streams needs a stream to write to.
   */
  invoke(name: FunctionName, event: unknown, stream?: ResponseStream): Promise<unknown>;
  /** Resolves when no invocation is running. */
  idle(): Promise<void>;
}

type Handler = (event: unknown, context: Context) => Promise<unknown>;

/** Loads the bundles, whose modules are to be nobody else's. The functions' environment has to be in place. */
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
    if (!handler || !definition) throw new Error(`there is no function ${name}`);
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
