import type { JsonObject } from '../../json/index.ts';

/**
 * The response to GET /version. The minor version is the Kubernetes API level that clients may expect. kubectl warns
 * if it differs from its own by more than one minor version.
 */
export const VERSION = {
  major: '1',
  minor: '33',
  emulationMajor: '1',
  emulationMinor: '33',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '32',
  gitVersion: 'v1.33.2+winnow',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: 'aws/lambda',
} as const satisfies JsonObject;
