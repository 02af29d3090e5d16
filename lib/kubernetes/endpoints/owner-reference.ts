import type { EndpointSlice, OwnerReference, Service } from './objects.ts';

/** Returns the owner reference to a Service, so that its derived objects are deleted with it. */
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

/** Whether a Service owns a slice. A slice of an earlier Service with the same name does not count. */
export function isOwnedBy(service: Service, { metadata }: EndpointSlice): boolean {
  return (metadata.ownerReferences ?? []).some(
    ({ apiVersion, kind, uid }) => apiVersion === 'v1' && kind === 'Service' && uid === service.metadata.uid,
  );
}
