import type { JsonObject } from '../../../store/index.ts';
import { AGE, field, hasCondition, NAME, NONE, text, wide } from '../columns.ts';
import type { ResourceDefinition } from '../define-resource-types.ts';
import { listAt, textAt } from '../json-path.ts';
import { SPEC_AND_STATUS } from '../schema-fields.ts';
import { POD_SUBRESOURCES } from '../subresources.ts';
import { podSummary } from './pod-summary.ts';

export const pods: ResourceDefinition = {
  kind: 'Pod',
  resource: 'pods',
  description: 'Pod is a group of containers that run together on one node.',
  shortNames: ['po'],
  categories: ['all'],
  status: true,
  subresources: POD_SUBRESOURCES,
  answersDeleted: true,
  fields: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  columns: [
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
  ],
  rowConditions: (pod) => ENDED[textAt(pod, 'status.phase')] ?? [],
  properties: SPEC_AND_STATUS,
};

/** What a Table's row says of a pod that has ended. */
const ENDED: Readonly<Record<string, readonly JsonObject[]>> = {
  Succeeded: [ended('Succeeded', 'The pod has completed successfully.')],
  Failed: [ended('Failed', 'The pod failed.')],
};

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
