import { AsyncLocalStorage } from 'node:async_hooks';

/** What every log line of a request says. */
export interface RequestContext {
  readonly auditID: string;
}

const contexts = new AsyncLocalStorage<RequestContext>();

/** Runs one request: whatever is logged meanwhile, however deep, carries its id. */
export function inRequest<Result>({ auditID }: RequestContext, run: () => Result): Result {
  return contexts.run({ auditID }, run);
}

/** What is known of the request under way; undefined outside of one. */
export function requestContext(): RequestContext | undefined {
  return contexts.getStore();
}
