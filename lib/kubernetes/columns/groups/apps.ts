import { type Column, listAt, NONE, numberAt, textAt } from '../../resource-types/index.ts';
import {
  AGE,
  asString,
  count,
  labelMap,
  labelSelector,
  NAME,
  templateColumns,
  text,
  wide,
} from '../columns.ts';
import type { ColumnsByKind } from '../columns-by-kind.ts';

const WIDE: readonly Column[] = [
  ...templateColumns('spec.template'),
  wide(labelSelector('Selector', 'spec.selector', 'The selector of the pods that it owns.')),
];

const readyOfDesired = text('Ready', 'The number of ready pods, and of desired pods.', (o) =>
  [numberAt(o, 'status.readyReplicas'), numberAt(o, 'spec.replicas', 1)].join('/'),
);

const controllerRevisions: readonly Column[] = [
  NAME,
  text('Controller', 'The object that the revision belongs to.', (o) => {
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
export const apps: ColumnsByKind = {
  ControllerRevision: controllerRevisions,
  DaemonSet: [
    NAME,
    count('Desired', 'status.desiredNumberScheduled', 'Nodes that should run the pod.'),
    count('Current', 'status.currentNumberScheduled', 'Nodes that run the pod and should run it.'),
    count('Ready', 'status.numberReady', 'Nodes whose pod is ready.'),
    count('Up-to-date', 'status.updatedNumberScheduled', 'Nodes that run the current template.'),
    count('Available', 'status.numberAvailable', 'Nodes whose pod is available.'),
    labelMap('Node Selector', 'spec.template.spec.nodeSelector', 'The node selector of the pod.'),
    AGE,
    ...WIDE,
  ],
  Deployment: [
    NAME,
    readyOfDesired,
    asString(count('Up-to-date', 'status.updatedReplicas', 'Pods made from the current template.')),
    asString(count('Available', 'status.availableReplicas', 'Pods that are available.')),
    AGE,
    ...WIDE,
  ],
  ReplicaSet: [
    NAME,
    count('Desired', 'spec.replicas', 'Pods wanted.', 1),
    count('Current', 'status.replicas', 'The current number of pods.'),
    count('Ready', 'status.readyReplicas', 'Pods that are ready.'),
    AGE,
    ...WIDE,
  ],
  StatefulSet: [NAME, readyOfDesired, AGE, ...templateColumns('spec.template')],
};
