import { fromLabelSelector, fromLabels, nothing, type Selector } from '../../selectors/index.ts';
import type { Metadata, Workload } from './objects.ts';

/**
 * What a workload counts as its own: what its selector matches and no other controller has. Of what no controller has,
 * only what is not on its way out, as Kubernetes' controllers would adopt it.
 */
export function claimed<Object extends { readonly metadata: Metadata }>(
  workload: Workload,
  objects: readonly Object[],
): readonly Object[] {
  const selector = selectorOf(workload);
  return objects.filter(({ metadata }) => {
    if (!selector.matches(metadata.labels ?? {})) return false;
    const controller = controllerOf(metadata);
    return controller === undefined ? !metadata.deletionTimestamp : controller === workload.metadata.uid;
  });
}

/** The uid of the object that controls it. */
export function controllerOf({ ownerReferences }: Metadata): string | undefined {
  return ownerReferences?.find(({ controller }) => controller === true)?.uid;
}

/** Which pods a workload selects: a ReplicationController without a selector those that its template would make. */
export function selectorOf({ kind, spec }: Workload): Selector {
  if (kind !== 'ReplicationController') return fromLabelSelector(spec.selector);
  const map = isEmpty(spec.selector) ? spec.template?.metadata?.labels : spec.selector;
  return isEmpty(map) ? nothing : fromLabels(map);
}

function isEmpty(map: unknown): boolean {
  return typeof map !== 'object' || map === null || Object.keys(map).length === 0;
}
