import type { Profile } from '../../lib/placement/index.ts';
import { optional } from './optional.ts';

/** What the deployment set of the scheduler's: checked when it was deployed. */
export function schedulerProfile(): Profile | undefined {
  const profile = optional('schedulerProfile');
  return profile === undefined ? undefined : JSON.parse(profile);
}
