import { readServiceRange, type ServiceRange } from '../../lib/platform/index.ts';
import { optional } from './optional.ts';

/** Where the deployment has addresses of Services: checked when it was deployed. Undefined: where they are by default. */
export function serviceRange(): ServiceRange | undefined {
  const range = optional('serviceClusterIPRange');
  return range === undefined ? undefined : readServiceRange(range);
}
