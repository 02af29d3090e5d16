import { AsyncLocalStorage } from 'node:async_hooks';

/** The fields that every log line of a request has. */
export interface RequestContext {
  readonly auditID: string;
  /** The name of the caller, once it is known. */
  readonly user?: string;
}

const contexts = new AsyncLocalStorage<RequestContext>();

/** Runs a request. Log lines that it writes, at any depth, have its id and its caller. */
export function inRequest<Result>(context: RequestContext, run: () => Result): Result {
  return contexts.run(context, run);
}

/** The context of the current request; undefined outside of a request. */
export function requestContext(): RequestContext | undefined {
  return contexts.getStore();
}
