import { defineResourceTypes, type ResourceDefinition } from '../define-resource-types.ts';
import type { StoredAs } from '../stored-as.ts';

const autoscaler: ResourceDefinition = {
  kind: 'HorizontalPodAutoscaler',
  resource: 'horizontalpodautoscalers',
  shortNames: ['hpa'],
  categories: ['all'],
  status: true,
};

let versions: typeof import('./autoscaler-versions.ts') | undefined;

/** The conversion of autoscaling/v1. It is loaded on demand, because few clients use that version. */
const asVersionTwo: StoredAs = {
  group: 'autoscaling',
  version: 'v2',
  load: async () => {
    versions = await import('./autoscaler-versions.ts');
  },
  encode: (one) => versions?.encode(one) ?? unloaded(),
  decode: (two) => versions?.decode(two) ?? unloaded(),
};

function unloaded(): never {
  throw new Error('autoscaling/v1 is not loaded');
}

/** autoscaling/v2, which is stored, and autoscaling/v1: inventory. Winnow does not scale workloads. */
export const autoscaling = [
  ...defineResourceTypes('autoscaling', 'v2', [autoscaler]),
  ...defineResourceTypes('autoscaling', 'v1', [{ ...autoscaler, storedAs: asVersionTwo }]),
];
