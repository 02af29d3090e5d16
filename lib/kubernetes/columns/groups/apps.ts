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
export const apps: ColumnsByKind = {
  ControllerRevision: controllerRevisions,
  DaemonSet: [
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
    count('Current', 'status.replicas', 'Pods there are.'),
    count('Ready', 'status.readyReplicas', 'Pods that are ready.'),
    AGE,
    ...WIDE,
  ],
  StatefulSet: [NAME, readyOfDesired, AGE, ...templateColumns('spec.template')],
};
