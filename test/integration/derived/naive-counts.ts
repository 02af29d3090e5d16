import { type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';

/** The counts in the status of a ReplicaSet. The naive model counts the same pod by pod. */
export function statusOf(set: JsonObject): JsonObject {
  const { replicas, readyReplicas = 0, fullyLabeledReplicas = 0, observedGeneration } = objectAt(set.status);
  return { replicas, readyReplicas, fullyLabeledReplicas, observedGeneration } as JsonObject;
}

export function naiveStatus(set: JsonObject, pods: readonly JsonObject[]): JsonObject {
  const { selector, template } = objectAt(set.spec);
  const own = pods.filter((pod) => !isOver(pod) && hasLabels(pod, objectAt(selector).matchLabels));
  const { labels } = objectAt(objectAt(template).metadata);
  return {
    replicas: own.length,
    readyReplicas: own.filter(isReady).length,
    fullyLabeledReplicas: own.filter((pod) => hasLabels(pod, labels)).length,
    observedGeneration: metadataOf(set).generation ?? null,
  };
}

/** The status of a Tally that groups by `tier`. The naive model counts the same. */
export function toldBy(tally: JsonObject): JsonObject {
  const { count, groups, observedGeneration } = objectAt(tally.status);
  return { count, groups, observedGeneration } as JsonObject;
}

export function naiveTally(tally: JsonObject, pods: readonly JsonObject[]): JsonObject {
  const { labelSelector, fieldSelector } = objectAt(tally.spec);
  const [, app] = String(labelSelector).split('=');
  const counted = pods.filter(
    (pod) => hasLabels(pod, { app: app ?? '' }) && (fieldSelector === 'Ready=True' ? isReady(pod) : true),
  );
  const groups = ['x', 'y'].flatMap((tier) => {
    const count = counted.filter((pod) => hasLabels(pod, { tier })).length;
    return count === 0 ? [] : [{ labels: { tier }, count }];
  });
  return { count: counted.length, groups, observedGeneration: metadataOf(tally).generation ?? null };
}

function hasLabels(pod: JsonObject, wanted: unknown): boolean {
  const labels = objectAt(metadataOf(pod).labels);
  return Object.entries(objectAt(wanted as JsonObject)).every(([key, value]) => labels[key] === value);
}

function isReady({ status }: JsonObject): boolean {
  const { conditions } = objectAt(status);
  return (
    Array.isArray(conditions) &&
    conditions.some((one) => objectAt(one).type === 'Ready' && objectAt(one).status === 'True')
  );
}

function isOver(pod: JsonObject): boolean {
  const isEnding = metadataOf(pod).deletionTimestamp !== undefined;
  return isEnding || ['Failed', 'Succeeded'].includes(String(objectAt(pod.status).phase));
}
