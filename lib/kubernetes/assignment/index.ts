/** What a pod becomes that is sent to a node, and which it may not be. */
export { assigned, whyNotAssigned } from './assigned-pod.ts';
export { POD_SCHEDULED, withPodCondition } from './pod-condition.ts';
