import { ThrottledError } from '../table.ts';

const THROTTLED = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

/** Errors of the service that say the request was wrong: nothing was written, and trying again will not help. */
const REFUSED = new Set([
  'ValidationException',
  'AccessDeniedException',
  'ResourceNotFoundException',
  'UnrecognizedClientException',
  'ItemCollectionSizeLimitExceededException',
]);

export function isThrottled(name: string | undefined): boolean {
  return name !== undefined && THROTTLED.has(name);
}

export function isRefused(error: unknown): boolean {
  return error instanceof Error && REFUSED.has(error.name);
}

/** What the SDK threw, as the store knows it. */
export function translate(error: unknown): unknown {
  return error instanceof Error && isThrottled(error.name)
    ? new ThrottledError(error.message, { cause: error })
    : error;
}
