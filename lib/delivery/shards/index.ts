/**
 * The dispatch shards of a collection's subscriptions. Each has a dispatcher, a cursor and a message group of its own.
 */
export { bumpSubscriptions } from './bump-subscriptions.ts';
export { hintShards } from './hint-shards.ts';
export { groupsFrom, leastPosition, readShards, type ShardCursor, shardOfUid } from './read-groups.ts';
export { isBelow, splitShard } from './split-shard.ts';
