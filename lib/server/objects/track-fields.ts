import type { FieldTracking } from './field-tracking.ts';
import type { TrackingOptions } from './tracking-options.ts';

/** The field tracking of a request. Its code is loaded by the first write. */
export async function trackFields(options: TrackingOptions): Promise<FieldTracking> {
  const { createTracking } = await import('./field-tracking.ts');
  return createTracking(options);
}
