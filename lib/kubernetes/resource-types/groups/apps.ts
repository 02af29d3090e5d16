import { defineResourceTypes } from '../define-resource-types.ts';
import type { BodySelector } from '../resource-type.ts';

const SELECTOR: BodySelector = { path: ['spec', 'selector'], kind: 'labelSelector' };

/** apps/v1 */
export const apps = defineResourceTypes('apps', 'v1', [
  {
    kind: 'ControllerRevision',
    resource: 'controllerrevisions',
  },
  {
    kind: 'DaemonSet',
    resource: 'daemonsets',
    countsGeneration: true,
    carriesSelectors: 'always',
    shortNames: ['ds'],
    categories: ['all'],
    status: true,
    selectors: [SELECTOR],
  },
  {
    kind: 'Deployment',
    resource: 'deployments',
    countsGeneration: true,
    carriesSelectors: 'always',
    shortNames: ['deploy'],
    categories: ['all'],
    status: true,
    statusKeeps: ['labels'],
    scale: { selector: 'labelSelector' },
    selectors: [SELECTOR],
  },
  {
    kind: 'ReplicaSet',
    resource: 'replicasets',
    countsGeneration: true,
    carriesSelectors: 'always',
    shortNames: ['rs'],
    categories: ['all'],
    status: true,
    scale: { selector: 'labelSelector' },
    selectors: [SELECTOR],
  },
  {
    kind: 'StatefulSet',
    resource: 'statefulsets',
    countsGeneration: true,
    carriesSelectors: 'always',
    shortNames: ['sts'],
    categories: ['all'],
    status: true,
    scale: { selector: 'labelSelector' },
    nameRule: 'label',
    selectors: [SELECTOR],
  },
]);
