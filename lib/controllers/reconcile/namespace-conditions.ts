import { timestamp } from '../../coordination/index.ts';
import { type Collection, isJsonObject, type JsonObject, jsonEquals, objectAt } from '../../json/index.ts';

/** The objects that are left in a namespace that Winnow empties. */
export interface Left {
  /** The number of objects with finalizers, by collection. */
  readonly remaining: ReadonlyMap<Collection, number>;
  /** The number of these objects by finalizer. */
  readonly holders: ReadonlyMap<string, number>;
}

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/**
 * The namespace with the five conditions of Kubernetes' namespace controller, or the same `body` where none changes. A
 * condition keeps its time while its status is the same.
 *
 * @param now in ms since the epoch
 */
export function withNamespaceConditions(body: JsonObject, left: Left, now: number): JsonObject {
  const { conditions: before, ...status } = objectAt(body.status);
  const present = Array.isArray(before) ? before.filter(isJsonObject) : [];
  const own = conditionsOf(left).map((condition) => {
    const old = present.find(({ type }) => type === condition.type);
    const lastTransitionTime = old?.status === condition.status ? old.lastTransitionTime : undefined;
    return { lastTransitionTime: lastTransitionTime ?? timestamp(now), ...condition };
  });
  const others = present.filter(({ type }) => !own.some((condition) => condition.type === type));
  const conditions: JsonObject[] = [...others, ...own];
  const isSame = jsonEquals(present, conditions);
  return isSame ? body : { ...body, status: { ...status, conditions } };
}

/** In the words of k8s.io/kubernetes/pkg/controller/namespace/deletion. */
function conditionsOf({ remaining, holders }: Left): readonly Condition[] {
  const resources = listed(remaining, (collection, count) => {
    const [group = '', resource = ''] = collection.split('/');
    return `${resource}.${group === 'core' ? '' : group} has ${count} resource instances`;
  });
  const finalizers = listed(holders, (finalizer, count) => `${finalizer} in ${count} resource instances`);
  return [
    fine('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    fine(
      'NamespaceDeletionGroupVersionParsingFailure',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    fine(
      'NamespaceDeletionContentFailure',
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    resources === ''
      ? fine('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed')
      : {
          type: 'NamespaceContentRemaining',
          status: 'True',
          reason: 'SomeResourcesRemain',
          message: `Some resources are remaining: ${resources}`,
        },
    finalizers === ''
      ? fine(
          'NamespaceFinalizersRemaining',
          'ContentHasNoFinalizers',
          'All content-preserving finalizers finished',
        )
      : {
          type: 'NamespaceFinalizersRemaining',
          status: 'True',
          reason: 'SomeFinalizersRemain',
          message: `Some content in the namespace has finalizers remaining: ${finalizers}`,
        },
  ];
}

function listed<Key>(counts: ReadonlyMap<Key, number>, text: (key: Key, count: number) => string): string {
  const shown = [...counts].filter(([, count]) => count > 0).map(([key, count]) => text(key, count));
  return shown.toSorted().join(', ');
}

function fine(type: string, reason: string, message: string): Condition {
  return { type, status: 'False', reason, message };
}
