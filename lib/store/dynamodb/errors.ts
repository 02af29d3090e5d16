import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { isTransientError } from '@smithy/core/retry';
import { OutOfTimeError, StorageFullError, ThrottledError, UnavailableError } from '../errors.ts';

const THROTTLED = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

/** Errors that mean the request is invalid: nothing was written, and a retry will not help. */
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

/** Whether the embedded database reports that its disk is full: SQLite's message for SQLITE_FULL. */
export function isStorageFull(error: unknown): boolean {
  return error instanceof Error && error.message.includes('disk is full');
}

/** Whether only throttling cancelled a transaction: a retry of the same one may commit. */
export function isThrottledOnly(reasons: readonly CancellationReason[] = []): boolean {
  const codes = reasons.flatMap(({ Code = 'None' }) => (Code === 'None' ? [] : [Code]));
  return codes.length > 0 && codes.every(isThrottled);
}

/** Whether DynamoDB will never accept an item of the transaction, e.g. because of its size. */
export function isInvalid(reasons: readonly CancellationReason[] = []): boolean {
  return reasons.some(({ Code }) => Code === 'ValidationError');
}

export function isRefused(error: unknown): boolean {
  return error instanceof Error && REFUSED.has(error.name);
}

/**
 * Translates an error of the SDK into one of the store: the call's time was over, or the table throttled, is full or
 * did not answer. Any other error is a fault in Winnow or the deployment, and stays as it is.
 */
export function translate(error: unknown, signal: AbortSignal | undefined): unknown {
  const { name } = error as Error;
  if (isThrottled(name)) return new ThrottledError('the table throttled the request', { cause: error });
  if (isStorageFull(error)) return storageFull(error);
  if (signal?.aborted) {
    return new OutOfTimeError('the request ran out of time before the table answered', { cause: error });
  }
  if (isTransientError(error as Parameters<typeof isTransientError>[0])) {
    return new UnavailableError('the table did not answer', { cause: error });
  }
  return error;
}

export function storageFull(cause: unknown): StorageFullError {
  return new StorageFullError(
    'nothing was written: the disk of the local database is full; free some space and send the request again',
    { cause },
  );
}
