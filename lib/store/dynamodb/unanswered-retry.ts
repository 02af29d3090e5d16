import { StandardRetryStrategy } from '@smithy/core/retry';
import { isStorageFull } from './errors.ts';

type Refresh = StandardRetryStrategy['refreshRetryTokenForRetry'];

/**
 * Retries requests without an answer, but not throttled ones: those certainly wrote nothing, and the caller knows how
 * long to wait. It does not retry if the disk of a local database is full.
 */
export class UnansweredRetryStrategy extends StandardRetryStrategy {
  override refreshRetryTokenForRetry(...[token, error]: Parameters<Refresh>): ReturnType<Refresh> {
    if (isStorageFull(error.error)) return Promise.reject(new Error('a full disk is not tried again'));
    if (error.errorType === 'THROTTLING') return Promise.reject(new Error('throttling is not tried again'));
    return super.refreshRetryTokenForRetry(token, error);
  }
}
