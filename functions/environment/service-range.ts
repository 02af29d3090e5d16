import { readServiceRange, type ServiceRange } from '../../lib/platform/index.ts';
import { optional } from './optional.ts';

/** The network of the addresses of Services, which the deployment has validated; undefined stands for the default. */
export function serviceRange(): ServiceRange | undefined {
  const range = optional('serviceClusterIPRange');
  return range === undefined ? undefined : readServiceRange(range);
}
