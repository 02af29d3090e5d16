import type { KubeObject } from '../../../../console/what-if/own-selections.ts';

/** A stored Service with all the fields that the server sets. */
export const SERVICE: KubeObject & { readonly metadata: { managedFields: unknown[] } } = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: 'u-1',
    resourceVersion: '20',
    generation: 3,
    creationTimestamp: '2026-11-28T10:00:00Z',
    labels: { app: 'web' },
    annotations: { note: 'hello' },
    finalizers: ['example.com/hold'],
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'root', uid: 'u-root' }],
    managedFields: [{ manager: 'kubectl' }],
  },
  spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80 }] },
  status: { loadBalancer: {} },
};
