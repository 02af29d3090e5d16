import type { Profile } from '../../lib/placement/index.ts';
import { optional } from './optional.ts';

/** The scheduler profile of the deployment, which has validated it; undefined if it sets none. */
export function schedulerProfile(): Profile | undefined {
  const profile = optional('schedulerProfile');
  return profile === undefined ? undefined : JSON.parse(profile);
}
