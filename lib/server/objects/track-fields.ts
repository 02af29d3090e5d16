import type { Clock } from '../../platform/index.ts';
import type { ResourceRoute } from '../http/index.ts';
import type { FieldTracking } from './field-tracking.ts';

export interface TrackingOptions {
  readonly route: ResourceRoute;
  /** The writer. */
  readonly manager: string;
  readonly clock: Clock;
}

/** What keeps track of a request's writes; its code is loaded when first something is written. */
export async function trackFields(options: TrackingOptions): Promise<FieldTracking> {
  const { createTracking } = await import('./field-tracking.ts');
  return createTracking(options);
}
