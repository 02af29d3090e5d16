/** Snapshots of the world in a few rows, for processes that start. */
export { readWorld } from './read-world.ts';
export { SNAPSHOT_POLICY, type SnapshotPolicy } from './snapshot-policy.ts';
export { WorldRecords } from './world-records.ts';
export { WorldSnapshots } from './world-snapshots.ts';
