import { fromLabelSelector, fromLabels, nothing, type Selector } from '../../selectors/index.ts';
import type { Metadata, Workload } from './objects.ts';

/**
 * Returns the objects that a workload counts as its own: its selector matches them, and no other controller owns
 * them. Objects without a controller count unless they are being deleted, because Kubernetes' controllers would adopt
 * them.
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

/** Returns the uid of an object's controller. */
export function controllerOf({ ownerReferences }: Metadata): string | undefined {
  return ownerReferences?.find(({ controller }) => controller === true)?.uid;
}

/**
 * Returns the pod selector of a workload. A ReplicationController without a selector selects the labels of its
 * template.
 */
export function selectorOf({ kind, spec }: Workload): Selector {
  if (kind !== 'ReplicationController') return fromLabelSelector(spec.selector);
  const map = isEmpty(spec.selector) ? spec.template?.metadata?.labels : spec.selector;
  return isEmpty(map) ? nothing : fromLabels(map);
}

function isEmpty(map: unknown): boolean {
  return typeof map !== 'object' || map === null || Object.keys(map).length === 0;
}
