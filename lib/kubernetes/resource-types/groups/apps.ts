import { defineResourceTypes } from '../define-resource-types.ts';
import type { BodySelector } from '../resource-type.ts';
import { integer, object, SPEC_AND_STATUS } from '../schema-fields.ts';

const SELECTOR: BodySelector = { path: ['spec', 'selector'], kind: 'labelSelector' };

/** apps/v1 */
export const apps = defineResourceTypes('apps', 'v1', [
  {
    kind: 'ControllerRevision',
    resource: 'controllerrevisions',
    description: 'ControllerRevision is an immutable snapshot of the state of a controller.',
    properties: { data: object('The state.'), revision: integer('The revision of the state.') },
  },
  {
    kind: 'DaemonSet',
    resource: 'daemonsets',
    description: 'DaemonSet describes a pod to run on every node.',
    shortNames: ['ds'],
    categories: ['all'],
    status: true,
    selectors: [SELECTOR],
    properties: SPEC_AND_STATUS,
  },
  {
    kind: 'Deployment',
    resource: 'deployments',
    description: 'Deployment describes pods and how to roll out a new template.',
    shortNames: ['deploy'],
    categories: ['all'],
    status: true,
    statusKeeps: ['labels'],
    scale: { selector: 'labelSelector' },
    selectors: [SELECTOR],
    properties: SPEC_AND_STATUS,
  },
  {
    kind: 'ReplicaSet',
    resource: 'replicasets',
    description: 'ReplicaSet describes how many pods of a template there shall be.',
    shortNames: ['rs'],
    categories: ['all'],
    status: true,
    scale: { selector: 'labelSelector' },
    selectors: [SELECTOR],
    properties: SPEC_AND_STATUS,
  },
  {
    kind: 'StatefulSet',
    resource: 'statefulsets',
    description: 'StatefulSet describes pods with an identity and storage of their own.',
    shortNames: ['sts'],
    categories: ['all'],
    status: true,
    scale: { selector: 'labelSelector' },
    nameRule: 'label',
    selectors: [SELECTOR],
    properties: SPEC_AND_STATUS,
  },
]);
