/** The assignment of pods to nodes: the pod after it, and the reasons that forbid it. */
export { assigned, whyNotAssigned } from './assigned-pod.ts';
export { POD_SCHEDULED, withPodCondition } from './pod-condition.ts';
