/** The subresources of pods, and those that need a kubelet or a network. Loaded when one is requested. */
export { bindPod } from './bind-pod.ts';
export { evictPod } from './evict-pod.ts';
export { reachNode } from './reach-node.ts';
