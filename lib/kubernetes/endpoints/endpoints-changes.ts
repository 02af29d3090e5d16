import { isDeepStrictEqual } from 'node:util';
import type { Changes } from './changes.ts';
import { MANAGER } from './manager.ts';
import type { EndpointSubset, Endpoints, Metadata, Pod, Service } from './objects.ts';
import { ownerReference } from './owner-reference.ts';
import { HEADLESS, isHeadless, type Labels } from './slice-labels.ts';
import { stored, subsetsOf } from './subsets.ts';
import { truncate } from './truncate.ts';

export const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';
const OVER_CAPACITY = 'endpoints.kubernetes.io/over-capacity';

/**
 * Returns the writes that give a Service the Endpoints that it should have.
 *
 * @param there the existing Endpoints with its name, if Winnow manages them
 * @see syncService of k8s.io/kubernetes/pkg/controller/endpoint
 */
export function endpointsChanges(
  service: Service,
  pods: readonly Pod[],
  there: Endpoints | undefined,
): Changes<Endpoints> {
  const all = subsetsOf(service, pods);
  const kept = truncate(all);
  const wanted = {
    ...there,
    ...made(service, kept.map(stored), { before: there?.metadata, isCut: kept !== all }),
  };
  if (there === undefined) return { create: [wanted], update: [], delete: [] };
  const isRight = isDeepStrictEqual(compared(there), compared(wanted));
  return { create: [], update: isRight ? [] : [wanted], delete: [] };
}

function made(
  service: Service,
  subsets: readonly EndpointSubset[],
  { before, isCut }: { readonly before: Metadata | undefined; readonly isCut: boolean },
): Endpoints {
  const { [OVER_CAPACITY]: _, ...others } = before?.annotations ?? {};
  const annotations = isCut ? { ...others, [OVER_CAPACITY]: 'truncated' } : others;
  const headless: Labels = isHeadless(service) ? { [HEADLESS]: '' } : {};
  const { [HEADLESS]: __, ...labels } = service.metadata.labels ?? {};
  return {
    metadata: {
      ...before,
      name: service.metadata.name,
      namespace: service.metadata.namespace,
      labels: { ...labels, ...headless, [MANAGED_BY]: MANAGER },
      annotations,
      ownerReferences: [ownerReference(service)],
    },
    subsets,
  };
}

function compared({ metadata: { labels, annotations, ownerReferences }, subsets }: Endpoints) {
  return JSON.parse(
    JSON.stringify([
      Object.entries(labels ?? {}).toSorted(),
      annotations?.[OVER_CAPACITY] ?? null,
      ownerReferences ?? [],
      subsets ?? [],
    ]),
  );
}
