/** The subresources of pods that write. Loaded when one is requested. */
export { bindPod } from './bind-pod.ts';
export { evictPod } from './evict-pod.ts';
