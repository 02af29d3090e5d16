/** The subresources that only pods have, and nodes where a kubelet is asked. Loaded when one is asked for. */
export { bindPod } from './bind-pod.ts';
export { evictPod } from './evict-pod.ts';
export { reachNode } from './reach-node.ts';
