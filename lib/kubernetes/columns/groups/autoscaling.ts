import { numberAt, textAt } from '../../resource-types/index.ts';
import { AGE, asString, count, field, integer, NAME, text } from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';
import { autoscalerTargets } from './autoscaler-targets.ts';

/** autoscaling/v2, and the objects that `/scale` returns. */
export const autoscaling: ColumnsByKind = {
  HorizontalPodAutoscaler: [
    NAME,
    text('Reference', 'The scaled object.', (o) =>
      ['kind', 'name'].map((name) => textAt(o, `spec.scaleTargetRef.${name}`)).join('/'),
    ),
    text('Targets', 'The current and the target value of each metric.', autoscalerTargets),
    field('MinPods', 'spec.minReplicas', 'The minimum number of pods.', '<unset>'),
    asString(count('MaxPods', 'spec.maxReplicas', 'The maximum number of pods.')),
    asString(count('Replicas', 'status.currentReplicas', 'The current number of pods.')),
    AGE,
  ],
  Scale: [
    NAME,
    integer('Desired', 'The desired number of replicas.', (scale) => numberAt(scale, 'spec.replicas')),
    integer('Available', 'The current number of replicas.', (scale) => numberAt(scale, 'status.replicas')),
    AGE,
  ],
};
