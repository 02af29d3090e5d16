import { STATUSES } from '../../platform/index.ts';
import type { ApiOptions, ApiRequest, ApiResponse } from './request.ts';
import type { ResourceRoute } from './route.ts';

export interface Answered {
  /** The effective user of the request. */
  readonly request: ApiRequest;
  /** As it came. */
  readonly given: ApiRequest;
  /** Undefined for what is not about objects, and for a path or method that is not served. */
  readonly route: ResourceRoute | undefined;
  /** When the request came, in ms since the epoch. */
  readonly began: number;
  readonly response: ApiResponse;
}

/**
 * Logs and measures one answer, and gives it back. Of a watch it is the time until it was open: how long it then
 * lasts is no latency.
 */
export function observe({ clock, logger, metrics }: ApiOptions, answered: Answered): ApiResponse {
  const { request, given, route, began, response } = answered;
  const { status } = response;
  const took = clock.now() - began;
  const verb = route?.verb ?? 'other';
  metrics?.record('RequestLatency', took, { verb, status: STATUSES[Math.floor(status / 100) - 2] ?? '5xx' });
  const { method, path, user } = request;
  const other = user === given.user ? {} : { as: user.username };
  logger.info('answered a request', { method, path, verb, status, took, ...other });
  return response;
}
