import { AsyncLocalStorage } from 'node:async_hooks';

/** What every log line of a request says. */
export interface RequestContext {
  readonly auditID: string;
  /** The name of who asks, once that is known. */
  readonly user?: string;
}

const contexts = new AsyncLocalStorage<RequestContext>();

/** Runs one request: whatever is logged meanwhile, however deep, carries its id and who asked. */
export function inRequest<Result>(context: RequestContext, run: () => Result): Result {
  return contexts.run(context, run);
}

/** What is known of the request under way; undefined outside of one. */
export function requestContext(): RequestContext | undefined {
  return contexts.getStore();
}
