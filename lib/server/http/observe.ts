import { STATUSES } from '../../platform/index.ts';
import type { ApiOptions } from './call.ts';
import type { ApiRequest, ApiResponse } from './request.ts';
import type { ResourceRoute } from './route.ts';

export interface Answered {
  /** The effective user of the request. */
  readonly request: ApiRequest;
  /** The request as the server received it. */
  readonly given: ApiRequest;
  /** Undefined if the request is not for objects, or its path or method is not served. */
  readonly route: ResourceRoute | undefined;
  /** The time of arrival, in ms since the epoch. */
  readonly began: number;
  readonly response: ApiResponse;
}

/** Logs and measures one response, and returns it. For a watch, the latency is the time until it was open. */
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
