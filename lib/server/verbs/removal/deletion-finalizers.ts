import { type Collection, type JsonObject, metadataOf } from '../../../json/index.ts';
import { collectionOfType, type ResourceType } from '../../../kubernetes/resource-types/index.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../../../store/index.ts';
import type { DeleteOptions } from './delete-options.ts';

/** Whose dependents are left behind where nothing else is asked for: the first versions of these kinds did so. */
const ORPHANING: ReadonlySet<Collection> = new Set<Collection>(['core/replicationcontrollers', 'batch/jobs']);
/** Nothing depends on these, whatever is asked for. */
const WITHOUT_DEPENDENTS: ReadonlySet<Collection> = new Set<Collection>(['core/events']);
const FINALIZERS = { Orphan: [ORPHAN_FINALIZER], Foreground: [FOREGROUND_FINALIZER], Background: [] };

const JOB_WARNING =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

/**
 * The finalizers of an object that is to be deleted: those it has, and the one that says what becomes of its dependents.
 * What is asked for comes first, then what the object's own finalizers say, then what its kind does. The rules of
 * k8s.io/apiserver/pkg/registry/generic/registry, deletionFinalizersForGarbageCollection.
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

/** What a client is told that deletes without saying what becomes of the dependents. */
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
