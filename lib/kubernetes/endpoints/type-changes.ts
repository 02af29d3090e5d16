import type { AddressType } from './addresses.ts';
import { type EndpointGroup, endpointGroups, type Selected } from './endpoint-group.ts';
import { hinted, prefersClose } from './hints.ts';
import type { Endpoint, EndpointPort, EndpointSlice, Service } from './objects.ts';
import { isOwnedBy } from './owner-reference.ts';
import { pack } from './pack.ts';
import { portsKey } from './ports.ts';
import { hasAllLabels } from './slice-labels.ts';

/** The changes to the slices of one family. */
export interface TypeChanges {
  readonly created: readonly NewSlice[];
  readonly updated: readonly EndpointSlice[];
  readonly deleted: readonly EndpointSlice[];
}

/** A slice to create. It has no name yet. */
export interface NewSlice {
  readonly addressType: AddressType;
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

interface Given {
  readonly addressType: AddressType;
  /** The slices of this family, sorted by name. */
  readonly slices: readonly EndpointSlice[];
  readonly mostInSlice: number;
}

/** @see reconcileByAddressType of k8s.io/endpointslice */
export function typeChanges(selected: Selected, { addressType, slices, mostInSlice }: Given): TypeChanges {
  const { service } = selected;
  const owned = slices.filter((slice) => isOwnedBy(service, slice));
  const groups = endpointGroups(selected, addressType);
  const packed = groups.map((group) => ({
    group,
    ...pack({ service, group, slices: withPorts(group, owned), mostInSlice }),
  }));
  const changes = {
    created: packed.flatMap(({ group: { ports }, created }) =>
      created.map((endpoints) => ({ addressType, ports, endpoints })),
    ),
    updated: packed.flatMap(({ updated }) => updated),
    deleted: [
      ...slices.filter((slice) => !owned.includes(slice)),
      ...packed.flatMap(({ emptied }) => emptied),
      ...owned.filter((slice) => !groups.some((group) => withPorts(group, [slice]).length > 0)),
    ],
  };
  const { created, updated, deleted } =
    slices.length === changes.deleted.length && changes.created.length === 0
      ? withPlaceholder(service, addressType, changes)
      : changes;
  const close = prefersClose(service);
  const same = slices.filter((slice) => !isAmong(updated, slice) && !isAmong(deleted, slice));
  return {
    created: created.map((slice) => hinted(slice, close)),
    updated: [
      ...updated.map((slice) => hinted(slice, close)),
      ...same.map((slice) => hinted(slice, close)).filter((slice) => !same.includes(slice)),
    ],
    deleted,
  };
}

/** Ensures that a Service without endpoints still has one empty slice. */
function withPlaceholder(service: Service, addressType: AddressType, changes: TypeChanges): TypeChanges {
  const [only, ...more] = changes.deleted;
  const isThere = only !== undefined && more.length === 0 && isPlaceholder(service, only);
  return isThere
    ? { ...changes, deleted: [] }
    : { ...changes, created: [{ addressType, ports: [], endpoints: [] }] };
}

function isPlaceholder(service: Service, slice: EndpointSlice): boolean {
  const { ports, endpoints } = slice;
  return (ports ?? []).length === 0 && (endpoints ?? []).length === 0 && hasAllLabels(service, slice);
}

function withPorts({ key }: EndpointGroup, slices: readonly EndpointSlice[]): EndpointSlice[] {
  return slices.filter(({ ports }) => portsKey(ports ?? []) === key);
}

function isAmong(slices: readonly EndpointSlice[], { metadata: { name } }: EndpointSlice): boolean {
  return slices.some(({ metadata }) => metadata.name === name);
}
