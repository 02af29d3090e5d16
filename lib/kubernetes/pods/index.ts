/** The objects that a pod refers to, and mirror pods. */
export { secretNamesOf } from './secret-names.ts';
export { isMirrorPod, MIRROR_ANNOTATION, type UsedByPod, usedByPod } from './used-by-pod.ts';
