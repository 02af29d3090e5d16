/** Groups of a collection's subscriptions, each with a dispatcher, a cursor and a message group of its own. */
export { raiseMembers } from './raise-members.ts';
export { type GroupCursor, groupOfUid, groupsFrom, leastPosition, readGroups } from './read-groups.ts';
export { isBelow, splitGroup } from './split-group.ts';
export { tellGroups } from './tell-groups.ts';
