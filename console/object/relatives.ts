import { ask, findKind, type KindInfo, METADATA_LIST, pathOf } from '../api/index.ts';
import { type KubeObject, ownSelection } from '../what-if/index.ts';
import type { Relative } from './owners.ts';

/** The objects that an object owns. */
export interface Dependents {
  readonly found: readonly Relative[];
  /** Whether there may be more of them. */
  readonly hasMore: boolean;
}

/** The most objects that are read in search of dependents. */
const MOST_READ = 500;

/** The kinds of objects that controllers create with the labels of their own selector. */
const CREATED: Readonly<Record<string, string>> = {
  'deployments.apps': 'replicasets.apps',
  'replicasets.apps': 'pods',
  'statefulsets.apps': 'pods',
  'daemonsets.apps': 'pods',
  'jobs.batch': 'pods',
  replicationcontrollers: 'pods',
};

/** Whether the dependents of objects of a kind can be found by a selector. */
export const hasDependents = ({ id }: KindInfo): boolean => CREATED[id] !== undefined;

/** Reads the objects that a controller created for an object. */
export async function readDependents(
  kind: KindInfo,
  object: KubeObject,
  signal: AbortSignal,
): Promise<Dependents> {
  const created = findKind(CREATED[kind.id] ?? '');
  const selector = created && ownSelection(kind.id, object)?.selector;
  if (created === undefined || selector === undefined) return { found: [], hasMore: false };
  const { namespace = '', uid } = object.metadata;
  const { items, metadata } = await ask<{ items: KubeObject[]; metadata: { continue?: string } }>(
    pathOf(created, namespace),
    { query: { labelSelector: selector, limit: String(MOST_READ) }, accept: METADATA_LIST, signal },
  );
  const owned = items.filter(({ metadata: { ownerReferences = [] } }) =>
    ownerReferences.some((one) => one.uid === uid),
  );
  const found = owned.map(({ metadata: { name } }): Relative => {
    return { kind: created.kind, kindId: created.id, namespace, name, state: 'here' };
  });
  return { found, hasMore: (metadata.continue ?? '') !== '' };
}
