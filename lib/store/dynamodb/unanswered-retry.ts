import { StandardRetryStrategy } from '@smithy/core/retry';

type Refresh = StandardRetryStrategy['refreshRetryTokenForRetry'];

/**
 * Tries again where there was no answer, and not where the service refused for being asked too much: such a try
 * did nothing for certain, and whoever asked knows how long to wait.
 */
export class UnansweredRetryStrategy extends StandardRetryStrategy {
  override refreshRetryTokenForRetry(...[token, error]: Parameters<Refresh>): ReturnType<Refresh> {
    if (error.errorType === 'THROTTLING') return Promise.reject(new Error('throttling is not tried again'));
    return super.refreshRetryTokenForRetry(token, error);
  }
}
