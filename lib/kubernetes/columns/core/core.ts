import { listAt, NONE, objectAt, readField } from '../../resource-types/index.ts';
import { AGE, asString, count, integer, labelMap, NAME, templateColumns, text, wide } from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';
import { claims } from './claims.ts';
import { endpoints } from './endpoints.ts';
import { events } from './events.ts';
import { limitRanges, resourceQuotas } from './limits.ts';
import { nodes } from './nodes.ts';
import { pods } from './pods.ts';
import { services } from './services.ts';
import { volumes } from './volumes.ts';

/** The columns of core/v1. Kinds with many columns have their own files. */
export const core: ColumnsByKind = {
  ConfigMap: [
    NAME,
    asString(integer('Data', 'The number of keys.', (o) => keys(o, 'data') + keys(o, 'binaryData'))),
    AGE,
  ],
  ComponentStatus: [
    NAME,
    text('Status', 'Whether the component is healthy.', () => 'Unknown'),
    text('Message', 'The message of the component.', () => ''),
    text('Error', 'The error of the component.', () => ''),
  ],
  Endpoints: endpoints,
  Event: events,
  LimitRange: limitRanges,
  Namespace: [NAME, text('Status', 'Active or Terminating.', (o) => readField(o, 'status.phase') ?? ''), AGE],
  Node: nodes,
  PersistentVolume: volumes,
  PersistentVolumeClaim: claims,
  Pod: pods,
  PodTemplate: [
    NAME,
    ...templateColumns('template').map((column) => ({ ...column, priority: 0 }) as const),
    labelMap('Pod Labels', 'template.metadata.labels', 'Labels of its pods.'),
  ],
  ReplicationController: [
    NAME,
    count('Desired', 'spec.replicas', 'Pods wanted.', 1),
    count('Current', 'status.replicas', 'The current number of pods.'),
    count('Ready', 'status.readyReplicas', 'Pods that are ready.'),
    AGE,
    ...templateColumns('spec.template'),
    wide(labelMap('Selector', 'spec.selector', 'The selector of the pods that it owns.')),
  ],
  ResourceQuota: resourceQuotas,
  Secret: [
    NAME,
    text('Type', 'The type of the data.', (o) => readField(o, 'type') ?? NONE),
    asString(integer('Data', 'The number of keys.', (o) => keys(o, 'data'))),
    AGE,
  ],
  Service: services,
  ServiceAccount: [
    NAME,
    asString(integer('Secrets', 'The number of secrets of the account.', (o) => listAt(o, 'secrets').length)),
    AGE,
  ],
};

function keys(value: Parameters<typeof objectAt>[0], path: string): number {
  return Object.keys(objectAt(value, path)).length;
}
