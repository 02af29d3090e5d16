import { apiVersionOf, findResourceType } from '../../kubernetes/resource-types/index.ts';
import type { EnsureOptions } from '../objects/index.ts';

/**
 * Creates the ServiceCIDR `kubernetes`, where it is absent: the range from which Services get their addresses. Every
 * cluster has one.
 *
 * @param range in CIDR notation
 */
export async function ensureServiceRange(options: EnsureOptions, range: string): Promise<void> {
  const { ensureObject } = await import('../objects/index.ts');
  const type = findResourceType('networking.k8s.io', 'v1', 'servicecidrs');
  if (type === undefined) throw new Error('the resource type servicecidrs is missing');
  await ensureObject(options, type, {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    metadata: { name: 'kubernetes' },
    spec: { cidrs: [range] },
  });
}
