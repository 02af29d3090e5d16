import { cronJob, jobStatus, jobUpdate, newCronJob, newJob } from './jobs/index.ts';
import type { KindRules } from './kind-rules.ts';
import { podResize } from './pod-resize.ts';
import { ephemeralContainersUpdate, podStatusUpdate, podUpdate } from './pod-update.ts';
import { newPod, pod, podTemplate } from './pods.ts';
import {
  controllerRevision,
  daemonSet,
  deployment,
  newControllerRevision,
  newStatefulSet,
  replicaSet,
  replicationController,
  sameSelector,
  statefulSet,
  statefulSetUpdate,
} from './workloads.ts';

/** The rules of pods and of the kinds that create pods. */
export const KINDS: ReadonlyMap<string, KindRules> = new Map<string, KindRules>([
  [
    '/Pod',
    {
      content: pod,
      created: newPod,
      changed: podUpdate,
      status: podStatusUpdate,
      through: { ephemeralcontainers: ephemeralContainersUpdate, resize: podResize },
      asNew: true,
    },
  ],
  ['/PodTemplate', { content: ({ template }) => podTemplate('template', template) }],
  ['/ReplicationController', { content: replicationController }],
  ['apps/ControllerRevision', { content: controllerRevision, created: newControllerRevision, asNew: true }],
  ['apps/DaemonSet', { content: daemonSet, changed: sameSelector }],
  ['apps/Deployment', { content: deployment, changed: sameSelector }],
  ['apps/ReplicaSet', { content: replicaSet, changed: sameSelector }],
  ['apps/StatefulSet', { content: statefulSet, created: newStatefulSet, changed: statefulSetUpdate }],
  ['batch/CronJob', { content: cronJob, created: newCronJob }],
  ['batch/Job', { content: newJob, changed: jobUpdate, status: jobStatus, asNew: true }],
]);
