import {
  AGE,
  asString,
  count,
  labelMap,
  labelSelector,
  NAME,
  NONE,
  templateColumns,
  text,
  wide,
} from '../columns.ts';
import { defineResourceTypes } from '../define-resource-types.ts';
import { listAt, numberAt, textAt } from '../json-path.ts';
import type { BodySelector, Column } from '../resource-type.ts';
import { integer, object, SPEC_AND_STATUS } from '../schema-fields.ts';

const SELECTOR: BodySelector = { path: ['spec', 'selector'], kind: 'labelSelector' };

const WIDE: readonly Column[] = [
  ...templateColumns('spec.template'),
  wide(labelSelector('Selector', 'spec.selector', 'Which pods it owns.')),
];

const readyOfDesired = text('Ready', 'Ready pods of those wanted.', (o) =>
  [numberAt(o, 'status.readyReplicas'), numberAt(o, 'spec.replicas', 1)].join('/'),
);

const controllerRevisions: readonly Column[] = [
  NAME,
  text('Controller', 'The object whose history this is.', (o) => {
    const controller = listAt(o, 'metadata.ownerReferences').find(
      (owner) => textAt(owner, 'controller') === 'true',
    );
    const [group, version] = textAt(controller, 'apiVersion').split('/');
    const kind = textAt(controller, 'kind').toLowerCase();
    const type = version === undefined ? kind : `${kind}.${group}`;
    return controller === undefined ? NONE : `${type}/${textAt(controller, 'name')}`;
  }),
  count('Revision', 'revision', 'The revision of the state.'),
  AGE,
];

/** apps/v1 */
export const apps = defineResourceTypes('apps', 'v1', [
  {
    kind: 'ControllerRevision',
    resource: 'controllerrevisions',
    description: 'ControllerRevision is an immutable snapshot of the state of a controller.',
    columns: controllerRevisions,
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
    columns: [
      NAME,
      count('Desired', 'status.desiredNumberScheduled', 'Nodes that should run the pod.'),
      count('Current', 'status.currentNumberScheduled', 'Nodes that run the pod and should.'),
      count('Ready', 'status.numberReady', 'Nodes whose pod is ready.'),
      count('Up-to-date', 'status.updatedNumberScheduled', 'Nodes that run the current template.'),
      count('Available', 'status.numberAvailable', 'Nodes whose pod is available.'),
      labelMap('Node Selector', 'spec.template.spec.nodeSelector', 'Which nodes run the pod.'),
      AGE,
      ...WIDE,
    ],
    properties: SPEC_AND_STATUS,
  },
  {
    kind: 'Deployment',
    resource: 'deployments',
    description: 'Deployment describes pods and how to roll out a new template.',
    shortNames: ['deploy'],
    categories: ['all'],
    status: true,
    scale: { selector: 'labelSelector' },
    selectors: [SELECTOR],
    columns: [
      NAME,
      readyOfDesired,
      asString(count('Up-to-date', 'status.updatedReplicas', 'Pods made from the current template.')),
      asString(count('Available', 'status.availableReplicas', 'Pods that are available.')),
      AGE,
      ...WIDE,
    ],
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
    columns: [
      NAME,
      count('Desired', 'spec.replicas', 'Pods wanted.', 1),
      count('Current', 'status.replicas', 'Pods there are.'),
      count('Ready', 'status.readyReplicas', 'Pods that are ready.'),
      AGE,
      ...WIDE,
    ],
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
    columns: [NAME, readyOfDesired, AGE, ...templateColumns('spec.template')],
    properties: SPEC_AND_STATUS,
  },
]);
