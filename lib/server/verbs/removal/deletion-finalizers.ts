import { type Collection, type JsonObject, metadataOf } from '../../../json/index.ts';
import { collectionOfType, type ResourceType } from '../../../kubernetes/resource-types/index.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../../../store/index.ts';
import type { DeleteOptions } from './delete-options.ts';

/** The collections whose dependents are orphaned by default, as in the first versions of these kinds. */
const ORPHANING: ReadonlySet<Collection> = new Set<Collection>(['core/replicationcontrollers', 'batch/jobs']);
/** The collections without dependents. The requested policy has no effect. */
const WITHOUT_DEPENDENTS: ReadonlySet<Collection> = new Set<Collection>(['core/events']);
const FINALIZERS = { Orphan: [ORPHAN_FINALIZER], Foreground: [FOREGROUND_FINALIZER], Background: [] };

const JOB_WARNING =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

/**
 * The finalizers of an object that is to be deleted: those it has, and the one for the policy of its dependents. The
 * policy is the requested one, else that of the object's finalizers, else the default of its kind. The rules are those
 * of k8s.io/apiserver/pkg/registry/generic/registry, deletionFinalizersForGarbageCollection.
 */
export function deletionFinalizers(
  type: ResourceType,
  body: JsonObject,
  { policy }: DeleteOptions,
): string[] {
  const { finalizers } = metadataOf(body);
  const old = Array.isArray(finalizers) ? finalizers.map(String) : [];
  const others = old.filter((name) => name !== ORPHAN_FINALIZER && name !== FOREGROUND_FINALIZER);
  const wanted = [...others, ...FINALIZERS[policyOf(type, old, policy)]];
  const isSame = wanted.length === old.length && wanted.every((name) => old.includes(name));
  return isSame ? old : wanted;
}

/** The warnings for a client that deletes without a policy for the dependents. */
export function deletionWarnings(type: ResourceType, { policy }: DeleteOptions): readonly string[] {
  return collectionOfType(type) === 'batch/jobs' && policy === undefined ? [JOB_WARNING] : [];
}

function policyOf(
  type: ResourceType,
  finalizers: readonly string[],
  asked: DeleteOptions['policy'],
): NonNullable<DeleteOptions['policy']> {
  const collection = collectionOfType(type);
  if (WITHOUT_DEPENDENTS.has(collection)) return 'Background';
  if (asked !== undefined) return asked;
  if (finalizers.includes(ORPHAN_FINALIZER)) return 'Orphan';
  if (finalizers.includes(FOREGROUND_FINALIZER)) return 'Foreground';
  return ORPHANING.has(collection) ? 'Orphan' : 'Background';
}
