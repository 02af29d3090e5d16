import type { Clock } from '../../platform/index.ts';
import type { ResourceRoute } from '../http/index.ts';

export interface TrackingOptions {
  readonly route: ResourceRoute;
  /** The writer. */
  readonly manager: string;
  readonly clock: Clock;
}
