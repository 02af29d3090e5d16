import type { JsonObject } from '../../../store/index.ts';
import { AGE, asString, type Column, count, field, NAME, text } from '../columns.ts';
import { defineResourceTypes, type ResourceDefinition } from '../define-resource-types.ts';
import { textAt } from '../json-path.ts';
import { autoscalerTargets } from './autoscaler-targets.ts';
import { asVersionTwo } from './autoscaler-versions.ts';

const columns: readonly Column[] = [
  NAME,
  text('Reference', 'What is scaled.', (o) =>
    ['kind', 'name'].map((name) => textAt(o, `spec.scaleTargetRef.${name}`)).join('/'),
  ),
  text('Targets', 'What of each metric there is, and is wanted.', autoscalerTargets),
  field('MinPods', 'spec.minReplicas', 'The fewest pods.', '<unset>'),
  asString(count('MaxPods', 'spec.maxReplicas', 'The most pods.')),
  asString(count('Replicas', 'status.currentReplicas', 'Pods there are.')),
  AGE,
];

const autoscaler: ResourceDefinition = {
  kind: 'HorizontalPodAutoscaler',
  resource: 'horizontalpodautoscalers',
  description:
    'HorizontalPodAutoscaler says between which numbers the pods of a workload are, and what decides.',
  shortNames: ['hpa'],
  categories: ['all'],
  status: true,
  columns,
};

/** autoscaling/v2, which is stored, and autoscaling/v1: inventory. Nobody scales here. */
export const autoscaling = [
  ...defineResourceTypes('autoscaling', 'v2', [autoscaler]),
  ...defineResourceTypes('autoscaling', 'v1', [
    {
      ...autoscaler,
      columns: columns.map((column) => ({
        ...column,
        cell: (object: JsonObject, now: number) => column.cell(asVersionTwo.encode(object), now),
      })),
      storedAs: asVersionTwo,
    },
  ]),
];
