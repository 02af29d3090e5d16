import { StandardRetryStrategy } from '@smithy/core/retry';
import { isStorageFull } from './errors.ts';

type Refresh = StandardRetryStrategy['refreshRetryTokenForRetry'];

/**
 * Tries again where there was no answer, and not where the service refused for being asked too much: such a try
 * did nothing for certain, and whoever asked knows how long to wait. Nor where the disk of a local database is full.
 */
export class UnansweredRetryStrategy extends StandardRetryStrategy {
  override refreshRetryTokenForRetry(...[token, error]: Parameters<Refresh>): ReturnType<Refresh> {
    if (isStorageFull(error.error)) return Promise.reject(new Error('a full disk is not tried again'));
    if (error.errorType === 'THROTTLING') return Promise.reject(new Error('throttling is not tried again'));
    return super.refreshRetryTokenForRetry(token, error);
  }
}
