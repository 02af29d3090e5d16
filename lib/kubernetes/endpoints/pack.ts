import { compare } from './compare.ts';
import { type EndpointGroup, endpointKey, saysTheSame } from './endpoint-group.ts';
import type { Endpoint, EndpointSlice, Service } from './objects.ts';
import { hasLabelsOf, sliceLabels } from './slice-labels.ts';

interface Packing {
  readonly service: Service;
  readonly group: EndpointGroup;
  /** The slices of the group's ports and family. */
  readonly slices: readonly EndpointSlice[];
  /** The maximum number of endpoints in a slice. */
  readonly mostInSlice: number;
}

/** The changes to the slices of one group. */
export interface Packed {
  /** The endpoints of each slice to create. */
  readonly created: readonly (readonly Endpoint[])[];
  /** The changed slices in their new state. */
  readonly updated: readonly EndpointSlice[];
  /** The slices that have become empty. */
  readonly emptied: readonly EndpointSlice[];
}

/**
 * Packs endpoints into the existing slices and changes as few slices as possible:
 *
 * 1. Endpoints stay in their slices.
 * 2. Slices that change anyway are filled up, the fullest first.
 * 3. The rest goes into the one slice that it fills best, or into new slices.
 *
 * @see reconcileByPortMapping of k8s.io/endpointslice
 */
export function pack({ service, group, slices, mostInSlice }: Packing): Packed {
  const missing = new Map(group.endpoints);
  const looked = slices.toSorted(byName).map((slice) => ({ slice, ...keep(slice, missing) }));
  const emptied = looked.filter(isEmptied).map(({ slice }) => slice);
  const left = looked.filter((one) => !isEmptied(one));
  const isSame = (one: Looked) => !one.isChanged && hasLabelsOf(service, one.slice);
  const unchanged = left.filter(isSame).map(({ slice }) => slice);
  const updated = left
    .filter((one) => !isSame(one))
    .map(({ slice, isChanged, endpoints }) => ({
      ...withLabels(slice, service),
      endpoints: isChanged ? endpoints : slice.endpoints,
    }))
    .toSorted((one, other) => sizeOf(other) - sizeOf(one))
    .map((slice) => filled(slice, missing, mostInSlice));

  const created: Endpoint[][] = [];
  while (missing.size > 0) {
    const slice = bestFor(missing.size, unchanged, mostInSlice);
    if (slice === undefined) {
      created.push(take(mostInSlice, missing));
    } else {
      updated.push(filled(slice, missing, mostInSlice));
    }
  }
  return { created, updated: updated.toSorted(byName), emptied };
}

/** A slice and its remaining endpoints in their new state. */
interface Looked {
  readonly slice: EndpointSlice;
  readonly endpoints: readonly Endpoint[];
  readonly isChanged: boolean;
}

function isEmptied({ isChanged, endpoints }: Looked): boolean {
  return isChanged && endpoints.length === 0;
}

/** Returns the slice's remaining endpoints in their new state, and removes them from `missing`. */
function keep(slice: EndpointSlice, missing: Map<string, Endpoint>) {
  const before = slice.endpoints ?? [];
  let isChanged = false;
  const endpoints = before.flatMap((endpoint) => {
    const key = endpointKey(endpoint);
    const wanted = missing.get(key);
    if (wanted === undefined) return [];
    missing.delete(key);
    isChanged ||= !saysTheSame(wanted, endpoint);
    return [wanted];
  });
  return { endpoints, isChanged: isChanged || endpoints.length !== before.length };
}

function filled(slice: EndpointSlice, missing: Map<string, Endpoint>, most: number): EndpointSlice {
  const endpoints = slice.endpoints ?? [];
  return withEndpoints(slice, [...endpoints, ...take(most - endpoints.length, missing)]);
}

/** Removes the first endpoints from `missing`, at most `most`, and returns them. */
function take(most: number, missing: Map<string, Endpoint>): Endpoint[] {
  const taken = [...missing].slice(0, Math.max(most, 0));
  for (const [key] of taken) missing.delete(key);
  return taken.map(([, endpoint]) => endpoint);
}

/** Returns the slice that is fullest after `count` endpoints are added. */
function bestFor(count: number, slices: readonly EndpointSlice[], most: number): EndpointSlice | undefined {
  if (count >= most) return undefined;
  return slices
    .filter((slice) => sizeOf(slice) + count <= most)
    .toSorted((left, right) => sizeOf(right) - sizeOf(left))
    .at(0);
}

function sizeOf({ endpoints }: EndpointSlice): number {
  return endpoints?.length ?? 0;
}

export function byName(left: EndpointSlice, right: EndpointSlice): number {
  return compare(left.metadata.name, right.metadata.name);
}

function withEndpoints(slice: EndpointSlice, endpoints: readonly Endpoint[]): EndpointSlice {
  return { ...slice, endpoints };
}

function withLabels(slice: EndpointSlice, service: Service): EndpointSlice {
  return { ...slice, metadata: { ...slice.metadata, labels: sliceLabels(service) } };
}
