import type { Row } from '../../../../console/api/shapes.ts';

/** A row of the page with these labels. */
export function row(
  name: string,
  labels: Record<string, string> = {},
  cells: readonly unknown[] = [name],
): Row {
  const [namespace = '', own = ''] = name.includes('/') ? name.split('/') : ['default', name];
  const metadata = {
    namespace,
    name: own,
    uid: name,
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels,
  };
  return { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata, cells } as unknown as Row;
}
