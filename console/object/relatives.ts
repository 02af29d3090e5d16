import type { OwnerReference } from '../../lib/client/objects/index.ts';
import { ForbiddenError, NotFoundError } from '../../lib/client/objects/index.ts';
import { ask, findKind, type KindInfo, kindIdOf, objectPath, pathOf } from '../api/index.ts';
import { type KubeObject, ownSelection } from '../what-if/index.ts';

/** An object in the tree of owners. */
export interface Relative {
  /** The name of the kind in objects. */
  readonly kind: string;
  /** The id of the kind; empty if Winnow does not serve it. */
  readonly kindId: string;
  readonly namespace: string;
  readonly name: string;
  /** `gone`: the owner does not exist any more. `unknown`: the user may not see it. */
  readonly state: 'here' | 'gone' | 'unknown';
}

/** Owners of an object, the one at the top first, and the objects that it owns. */
export interface Family {
  readonly owners: readonly Relative[];
  readonly dependents: readonly Relative[];
  /** Whether there may be more dependents. */
  readonly hasMore: boolean;
}

/** The most levels of owners that are read. */
const MOST_LEVELS = 5;
/** The most objects that are read in search of dependents. */
const MOST_READ = 500;
const METADATA = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

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

/** Reads the owners of an object, level by level, and the objects that its controller created for it. */
export async function readFamily(kind: KindInfo, object: KubeObject, signal: AbortSignal): Promise<Family> {
  const [owners, dependents] = await Promise.all([
    ownersOf(object, MOST_LEVELS, signal),
    dependentsOf(kind, object, signal),
  ]);
  return { owners, ...dependents };
}

/** The controlling owner first at each level; only that one is followed upwards. */
async function ownersOf(
  object: KubeObject,
  levels: number,
  signal: AbortSignal,
): Promise<readonly Relative[]> {
  const { ownerReferences = [], namespace = '' } = object.metadata;
  const sorted = [...ownerReferences].sort(
    (one, other) => Number(other.controller === true) - Number(one.controller === true),
  );
  const read = await Promise.all(sorted.map((reference) => readOwner(reference, namespace, signal)));
  const [first] = read;
  const above =
    first?.object === undefined || levels <= 1 ? [] : await ownersOf(first.object, levels - 1, signal);
  return [...above, ...read.map(({ relative }) => relative).reverse()];
}

async function readOwner(
  { apiVersion, kind, name, uid }: OwnerReference,
  namespace: string,
  signal: AbortSignal,
): Promise<{ readonly relative: Relative; readonly object?: KubeObject }> {
  const kindId = kindIdOf(apiVersion, kind);
  const info = kindId === '' ? undefined : findKind(kindId);
  const relative = { kind, kindId, namespace: info?.namespaced ? namespace : '', name };
  if (info === undefined) return { relative: { ...relative, state: 'unknown' } };
  try {
    const object = await ask<KubeObject>(objectPath(info, relative), { accept: METADATA, signal });
    if (object.metadata.uid !== uid) return { relative: { ...relative, state: 'gone' } };
    return { relative: { ...relative, state: 'here' }, object };
  } catch (error) {
    if (error instanceof NotFoundError) return { relative: { ...relative, state: 'gone' } };
    if (error instanceof ForbiddenError) return { relative: { ...relative, state: 'unknown' } };
    throw error;
  }
}

async function dependentsOf(
  kind: KindInfo,
  object: KubeObject,
  signal: AbortSignal,
): Promise<Pick<Family, 'dependents' | 'hasMore'>> {
  const created = findKind(CREATED[kind.id] ?? '');
  const selector = created && ownSelection(kind.id, object)?.selector;
  if (created === undefined || selector === undefined) return { dependents: [], hasMore: false };
  const { namespace = '', uid } = object.metadata;
  const { items, metadata } = await ask<{ items: KubeObject[]; metadata: { continue?: string } }>(
    pathOf(created, namespace),
    { query: { labelSelector: selector, limit: String(MOST_READ) }, accept: METADATA_LIST, signal },
  );
  const owned = items.filter(({ metadata: { ownerReferences = [] } }) =>
    ownerReferences.some((one) => one.uid === uid),
  );
  const dependents = owned.map(({ metadata: { name } }): Relative => {
    return { kind: created.kind, kindId: created.id, namespace, name, state: 'here' };
  });
  return { dependents, hasMore: (metadata.continue ?? '') !== '' };
}
