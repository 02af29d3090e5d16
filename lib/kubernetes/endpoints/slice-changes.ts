import { addressTypesOf } from './addresses.ts';
import type { Changes } from './changes.ts';
import type { Selected } from './endpoint-group.ts';
import type { EndpointSlice } from './objects.ts';
import { byName } from './pack.ts';
import { recycled } from './recycled.ts';
import { SliceNames } from './slice-names.ts';
import { typeChanges } from './type-changes.ts';

const LAST_CHANGE = 'endpoints.kubernetes.io/last-change-trigger-time';

/** The existing slices, and the limits for new ones. */
interface Given {
  /** The slices of the Service that Winnow manages. */
  readonly slices: readonly EndpointSlice[];
  /** The names of other slices in its namespace. */
  readonly taken: Iterable<string>;
  readonly mostInSlice: number;
}

/**
 * Returns the writes that give a Service the slices that it should have.
 *
 * @see Reconcile of k8s.io/endpointslice
 */
export function sliceChanges(
  selected: Selected,
  { slices, taken, mostInSlice }: Given,
): Changes<EndpointSlice> {
  const types = addressTypesOf(selected.service);
  const names = new SliceNames(selected.service, [...taken, ...slices.map(({ metadata }) => metadata.name)]);
  const there = slices.filter(({ metadata }) => !metadata.deletionTimestamp).toSorted(byName);
  const all = types.map((addressType) => {
    const own = there.filter((slice) => slice.addressType === addressType);
    return recycled(
      selected.service,
      typeChanges(selected, { addressType, slices: own, mostInSlice }),
      names,
    );
  });
  const others = there.filter((slice) => !types.some((type) => type === slice.addressType));
  return {
    create: all.flatMap((changes) => changes.create),
    update: all.flatMap((changes) => changes.update).map(withoutLastChange),
    delete: [...all.flatMap((changes) => changes.delete), ...others],
  };
}

/**
 * Removes the annotation with the time of the last pod change. Winnow does not know this time, and the value of
 * another writer is outdated.
 */
function withoutLastChange(slice: EndpointSlice): EndpointSlice {
  const { [LAST_CHANGE]: noted, ...annotations } = slice.metadata.annotations ?? {};
  return noted === undefined ? slice : { ...slice, metadata: { ...slice.metadata, annotations } };
}
