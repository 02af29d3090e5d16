import { numberAt, textAt } from '../../resource-types/index.ts';
import { AGE, asString, count, field, integer, NAME, text } from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';
import { autoscalerTargets } from './autoscaler-targets.ts';

/** autoscaling/v2, and the objects that `/scale` returns. */
export const autoscaling: ColumnsByKind = {
  HorizontalPodAutoscaler: [
    NAME,
    text('Reference', 'What is scaled.', (o) =>
      ['kind', 'name'].map((name) => textAt(o, `spec.scaleTargetRef.${name}`)).join('/'),
    ),
    text('Targets', 'What of each metric there is, and is wanted.', autoscalerTargets),
    field('MinPods', 'spec.minReplicas', 'The fewest pods.', '<unset>'),
    asString(count('MaxPods', 'spec.maxReplicas', 'The most pods.')),
    asString(count('Replicas', 'status.currentReplicas', 'Pods there are.')),
    AGE,
  ],
  Scale: [
    NAME,
    integer('Desired', 'How many replicas there shall be.', (scale) => numberAt(scale, 'spec.replicas')),
    integer('Available', 'How many replicas there are.', (scale) => numberAt(scale, 'status.replicas')),
    AGE,
  ],
};
