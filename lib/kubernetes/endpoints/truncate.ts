import type { Subset } from './subsets.ts';

/** The maximum number of addresses in Endpoints. */
export const MOST_ADDRESSES = 1000;

/**
 * Truncates subsets to the number of addresses that Endpoints may list. Ready addresses have priority. Each subset
 * keeps its share, rounded up while there is room.
 *
 * @see truncateEndpoints of k8s.io/kubernetes/pkg/controller/endpoint
 */
export function truncate(subsets: readonly Subset[]): readonly Subset[] {
  const ready = total(subsets, 'addresses');
  const notReady = total(subsets, 'notReadyAddresses');
  if (ready + notReady <= MOST_ADDRESSES) return subsets;
  if (ready > MOST_ADDRESSES) {
    const withReady = subsets.map((subset) => ({ ...subset, notReadyAddresses: [] }));
    return cut(withReady, 'addresses', { all: ready, room: MOST_ADDRESSES });
  }
  return cut(subsets, 'notReadyAddresses', { all: notReady, room: MOST_ADDRESSES - ready });
}

type List = 'addresses' | 'notReadyAddresses';

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
