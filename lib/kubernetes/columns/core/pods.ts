import type { JsonObject } from '../../../json/index.ts';
import { type Column, listAt, NONE, textAt } from '../../resource-types/index.ts';
import { AGE, field, hasCondition, NAME, text, wide } from '../columns.ts';
import { podSummary } from './pod-summary.ts';

export const pods: readonly Column[] = [
  NAME,
  text(
    'Ready',
    'The number of ready containers, and of all containers.',
    (o, now) => podSummary(o, now).ready,
  ),
  text('Status', 'The phase, or the reason why the pod does not run.', (o, now) => podSummary(o, now).status),
  text(
    'Restarts',
    'The number of restarts of its containers, and the time since the last restart.',
    (o, now) => podSummary(o, now).restarts,
  ),
  AGE,
  wide(text('IP', 'Its address.', ip)),
  wide(field('Node', 'spec.nodeName', 'The node that runs it.')),
  wide(field('Nominated Node', 'status.nominatedNodeName', 'The node that is nominated for the pod.')),
  wide(
    text(
      'Readiness Gates',
      'The number of passed readiness gates, and of all readiness gates.',
      readinessGates,
    ),
  ),
];

/** The conditions in the Table row of a pod that has ended. */
const ENDED: Readonly<Record<string, readonly JsonObject[]>> = {
  Succeeded: [ended('Succeeded', 'The pod has completed successfully.')],
  Failed: [ended('Failed', 'The pod failed.')],
};

/** Returns the conditions of a pod's row, which it has besides its cells. */
export function podConditions(pod: JsonObject): readonly JsonObject[] {
  return ENDED[textAt(pod, 'status.phase')] ?? [];
}

function ended(reason: string, message: string): JsonObject {
  return { type: 'Completed', status: 'True', reason, message };
}

function ip(pod: JsonObject): string {
  return textAt(listAt(pod, 'status.podIPs')[0], 'ip') || textAt(pod, 'status.podIP') || NONE;
}

function readinessGates(pod: JsonObject): string {
  const gates = listAt(pod, 'spec.readinessGates').map((gate) => textAt(gate, 'conditionType'));
  const passed = gates.filter((gate) => hasCondition(pod, gate));
  return gates.length === 0 ? NONE : `${passed.length}/${gates.length}`;
}
