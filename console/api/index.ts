/** The requests of the page to Winnow, through the console's process. */
export {
  type Asked,
  ask,
  asking,
  type Explained,
  explained,
  MANAGER,
  METADATA,
  METADATA_LIST,
  objectPath,
  pathOf,
  sentence,
  TABLE,
  winnow,
} from './client.ts';
export { findKind, isCustom, kindIdOf, kinds, kindsError, loadKinds } from './kinds.ts';
export { type FollowState, followObjects, followRows, MOST_ROWS, type Question, watchState } from './live.ts';
export { loadNamespaces, namespaces } from './namespaces.ts';
export { objectKey, pointAt, pointedRow } from './pointed-row.ts';
export type { KindInfo, Row } from './shapes.ts';
export { forgetWritten, noteWritten, writtenLabels } from './written-labels.ts';
