import type { JsonObject } from '../../../json/index.ts';
import { type Column, listAt, NONE, objectAt, textAt } from '../../resource-types/index.ts';
import { AGE, field, hasCondition, NAME, text, wide } from '../columns.ts';

const ROLE_PREFIX = 'node-role.kubernetes.io/';
const ROLE_LABEL = 'kubernetes.io/role';

export const nodes: readonly Column[] = [
  NAME,
  text('Status', 'Whether it is ready for pods.', status),
  text('Roles', 'The roles in the labels of the node.', (o) => roles(o).join(',') || NONE),
  AGE,
  field('Version', 'status.nodeInfo.kubeletVersion', 'Version of its kubelet.', ''),
  wide(text('Internal-IP', 'The internal address.', (o) => address(o, 'InternalIP'))),
  wide(text('External-IP', 'The external address.', (o) => address(o, 'ExternalIP'))),
  wide(field('OS-Image', 'status.nodeInfo.osImage', 'Its operating system.', '<unknown>')),
  wide(field('Kernel-Version', 'status.nodeInfo.kernelVersion', 'Version of its kernel.', '<unknown>')),
  wide(
    field(
      'Container-Runtime',
      'status.nodeInfo.containerRuntimeVersion',
      'The container runtime.',
      '<unknown>',
    ),
  ),
];

function status(node: JsonObject): string {
  const reported = listAt(node, 'status.conditions').some(
    (condition) => textAt(condition, 'type') === 'Ready',
  );
  const ready = hasCondition(node, 'Ready') ? 'Ready' : 'NotReady';
  const cordoned = textAt(node, 'spec.unschedulable') === 'true' ? ',SchedulingDisabled' : '';
  return `${reported ? ready : 'Unknown'}${cordoned}`;
}

function roles(node: JsonObject): string[] {
  const names = Object.entries(objectAt(node, 'metadata.labels')).map(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return key.slice(ROLE_PREFIX.length);
    return key === ROLE_LABEL ? String(value) : '';
  });
  return [...new Set(names)].filter((name) => name !== '').sort();
}

function address(node: JsonObject, type: string): string {
  const found = listAt(node, 'status.addresses').find((entry) => textAt(entry, 'type') === type);
  return textAt(found, 'address') || NONE;
}
