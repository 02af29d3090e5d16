/** The permissions of the functions. */
export { fitStatement } from './fit-statement.ts';
export { LISTED, Permissions, WRITTEN } from './permissions.ts';
export { consume, send } from './queue-statements.ts';
export {
  allotVersions,
  assignSlots,
  changeRows,
  countRequests,
  fillHoles,
  invoke,
  noteSeen,
  ofCollections,
  queryIndexes,
  readRows,
} from './table-statements.ts';
