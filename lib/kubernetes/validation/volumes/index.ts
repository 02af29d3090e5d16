/** What the volumes of pods, and persistent volumes, may come from. */
export {
  cinder,
  initiator,
  iscsi,
  isLongPortal,
  LONG_PORTAL,
  needs,
  SHARED_SOURCES,
  type Source,
  storageOs,
} from './sources.ts';
export { hostPath, networkFiles, readVolumes } from './volumes.ts';
