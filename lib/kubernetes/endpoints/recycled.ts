import type { Changes } from './changes.ts';
import type { EndpointSlice, Metadata, Service } from './objects.ts';
import { isOwnedBy, ownerReference } from './owner-reference.ts';
import { sliceLabels } from './slice-labels.ts';
import type { SliceNames } from './slice-names.ts';
import type { TypeChanges } from './type-changes.ts';

/**
 * Reuses slices to delete as slices to create, so that watchers see one change instead of two. A Service that is
 * being deleted gets no new slices.
 *
 * @see finalize of k8s.io/endpointslice
 */
export function recycled(
  service: Service,
  { created, updated, deleted }: TypeChanges,
  names: SliceNames,
): Changes<EndpointSlice> {
  const missing = [...created];
  const reused: EndpointSlice[] = [];
  const gone: EndpointSlice[] = [];
  for (const slice of deleted) {
    const next = isOwnedBy(service, slice) ? missing.pop() : undefined;
    if (next === undefined) {
      gone.push(slice);
    } else {
      reused.push({ ...slice, ...next, metadata: madeOf(service, slice.metadata) });
    }
  }
  const create = missing.map((slice) => ({
    ...slice,
    metadata: madeOf(service, { name: names.next(slice.addressType) }),
  }));
  const isEnding = Boolean(service.metadata.deletionTimestamp);
  return { create: isEnding ? [] : create, update: [...updated, ...reused], delete: gone };
}

/**
 * Returns the metadata of a new or reused slice. A reused slice keeps the metadata that was read, including its
 * resourceVersion, but not its annotations.
 */
function madeOf(service: Service, { annotations: _, ...before }: NamedMetadata): Metadata {
  const { namespace } = service.metadata;
  return { ...before, namespace, labels: sliceLabels(service), ownerReferences: [ownerReference(service)] };
}

type NamedMetadata = Partial<Metadata> & Pick<Metadata, 'name'>;
