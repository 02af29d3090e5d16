import type { EndpointSlice, OwnerReference, Service } from './objects.ts';

/** By which what is made of a Service ends with it. */
export function ownerReference({ metadata: { name, uid } }: Service): OwnerReference {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    name,
    uid: uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** A slice of a Service that had the name before is not this one's. */
export function isOwnedBy(service: Service, { metadata }: EndpointSlice): boolean {
  return (metadata.ownerReferences ?? []).some(
    ({ apiVersion, kind, uid }) => apiVersion === 'v1' && kind === 'Service' && uid === service.metadata.uid,
  );
}
