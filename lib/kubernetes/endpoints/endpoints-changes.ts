import { isDeepStrictEqual } from 'node:util';
import type { Changes } from './changes.ts';
import { MANAGER } from './manager.ts';
import type { EndpointSubset, Endpoints, Metadata, Pod, Service } from './objects.ts';
import { ownerReference } from './owner-reference.ts';
import { HEADLESS, isHeadless, type Labels } from './slice-labels.ts';
import { type Subset, stored, subsetsOf } from './subsets.ts';

/** The maximum number of addresses in Endpoints. */
const MOST_ADDRESSES = 1000;

type List = 'addresses' | 'notReadyAddresses';

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

/**
 * Truncates subsets to the number of addresses that Endpoints may list. Ready addresses have priority. Each subset
 * keeps the same fraction of its addresses, rounded up until the limit is reached.
 *
 * @see truncateEndpoints of k8s.io/kubernetes/pkg/controller/endpoint
 */
function truncate(subsets: readonly Subset[]): readonly Subset[] {
  const ready = total(subsets, 'addresses');
  const notReady = total(subsets, 'notReadyAddresses');
  if (ready + notReady <= MOST_ADDRESSES) return subsets;
  if (ready > MOST_ADDRESSES) {
    const withReady = subsets.map((subset) => ({ ...subset, notReadyAddresses: [] }));
    return cut(withReady, 'addresses', { all: ready, room: MOST_ADDRESSES });
  }
  return cut(subsets, 'notReadyAddresses', { all: notReady, room: MOST_ADDRESSES - ready });
}

function total(subsets: readonly Subset[], list: List): number {
  return subsets.reduce((sum, subset) => sum + subset[list].length, 0);
}

function cut(subsets: readonly Subset[], list: List, { all, room }: { all: number; room: number }): Subset[] {
  let left = room;
  return subsets.map((subset) => {
    const share = Math.min(Math.ceil((subset[list].length / all) * room), left);
    const kept = subset[list].slice(0, share);
    left -= kept.length;
    return { ...subset, [list]: kept };
  });
}
