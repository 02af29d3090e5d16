import type { FieldTracking } from './field-tracking.ts';
import type { TrackingOptions } from './tracking-options.ts';

/** What keeps track of a request's writes; its code is loaded when first something is written. */
export async function trackFields(options: TrackingOptions): Promise<FieldTracking> {
  const { createTracking } = await import('./field-tracking.ts');
  return createTracking(options);
}
