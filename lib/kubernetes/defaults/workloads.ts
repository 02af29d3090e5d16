import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../json/index.ts';
import type { Defaults } from './defaults.ts';

/** The defaults of workloads. */
export const workloadDefaults: Defaults = {
  'core.v1.ReplicationController': (controller) => {
    labelsFromTemplate(controller);
    const spec = objectAt(controller.spec);
    const labels = labelsOf(spec.template ?? null);
    if (Object.keys(objectAt(spec.selector)).length === 0 && labels !== undefined) spec.selector = labels;
  },
  'apps.v1.StatefulSetSpec': ({ volumeClaimTemplates: claims }) => {
    for (const claim of Array.isArray(claims) ? claims.filter(isJsonObject) : []) {
      Object.assign(claim, { kind: 'PersistentVolumeClaim', apiVersion: 'v1' });
    }
  },
  'apps.v1.DeploymentStrategy': (strategy) => {
    if (strategy.type === 'RollingUpdate') {
      strategy.rollingUpdate ??= { maxUnavailable: '25%', maxSurge: '25%' };
    }
  },
  'apps.v1.DaemonSetUpdateStrategy': (strategy) => {
    if (strategy.type === 'RollingUpdate') strategy.rollingUpdate ??= { maxUnavailable: 1, maxSurge: 0 };
  },
  'apps.v1.StatefulSetUpdateStrategy': (strategy) => {
    if (strategy.type === 'RollingUpdate') strategy.rollingUpdate ??= { partition: 0 };
  },
};

/** Copies the labels of the template to an object without labels. */
export function labelsFromTemplate(object: JsonObject): void {
  const labels = labelsOf(objectAt(object.spec).template ?? null);
  const { metadata } = object;
  if (!isJsonObject(metadata) || labels === undefined) return;
  if (Object.keys(objectAt(metadata.labels)).length === 0) metadata.labels = labels;
}

function labelsOf(template: JsonValue): JsonObject | undefined {
  const { labels } = objectAt(objectAt(template).metadata);
  return isJsonObject(labels) ? { ...labels } : undefined;
}
