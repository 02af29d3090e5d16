/** The validation rules for the sources of pod volumes and persistent volumes. */
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
