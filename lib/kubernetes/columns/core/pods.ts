import type { JsonObject } from '../../../json/index.ts';
import { type Column, listAt, NONE, textAt } from '../../resource-types/index.ts';
import { AGE, field, hasCondition, NAME, text, wide } from '../columns.ts';
import { podSummary } from './pod-summary.ts';

export const pods: readonly Column[] = [
  NAME,
  text('Ready', 'Ready containers of all.', (o, now) => podSummary(o, now).ready),
  text('Status', 'Its phase, or what keeps it from running.', (o, now) => podSummary(o, now).status),
  text(
    'Restarts',
    'How often its containers were restarted, and when last.',
    (o, now) => podSummary(o, now).restarts,
  ),
  AGE,
  wide(text('IP', 'Its address.', ip)),
  wide(field('Node', 'spec.nodeName', 'The node that runs it.')),
  wide(field('Nominated Node', 'status.nominatedNodeName', 'The node being cleared for it.')),
  wide(text('Readiness Gates', 'Readiness gates that are passed, of all.', readinessGates)),
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
