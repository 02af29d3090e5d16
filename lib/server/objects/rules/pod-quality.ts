import { type JsonObject, type JsonValue, objectAt, objectsIn } from '../../../json/index.ts';

const RESOURCES = ['cpu', 'memory'] as const;

/** @see https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/ */
export function qualityOf(spec: JsonObject): string {
  const containers = [...objectsIn(spec.containers), ...objectsIn(spec.initContainers)].map(({ resources }) =>
    objectAt(resources ?? {}),
  );
  const asked = containers.flatMap(({ requests, limits }) => [
    objectAt(requests ?? {}),
    objectAt(limits ?? {}),
  ]);
  if (!asked.some((amounts) => RESOURCES.some((name) => isAmount(amounts[name])))) return 'BestEffort';
  const guaranteed = containers.every(({ requests, limits }) =>
    RESOURCES.every((name) => {
      const limit = objectAt(limits ?? {})[name];
      return isAmount(limit) && objectAt(requests ?? {})[name] === limit;
    }),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

function isAmount(quantity: JsonValue | undefined): boolean {
  return quantity !== undefined && quantity !== '0';
}
