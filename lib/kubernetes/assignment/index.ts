/** The assignment of pods to nodes: computes the assigned pod, and the reason why a pod cannot be assigned. */
export { assigned, whyNotAssigned } from './assigned-pod.ts';
export { POD_SCHEDULED, withPodCondition } from './pod-condition.ts';
