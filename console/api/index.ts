/** The requests of the page to Winnow, through the console's process. */
export {
  type Asked,
  ask,
  asking,
  type Explained,
  explained,
  objectPath,
  pathOf,
  sentence,
  winnow,
} from './client.ts';
export type { KindInfo } from './kind-info.ts';
export { findKind, kindIdOf, kinds, kindsError, loadKinds } from './kinds.ts';
export {
  type FollowState,
  followObjects,
  followRows,
  MOST_ROWS,
  type Question,
  type Row,
  watchState,
} from './live.ts';
export { loadNamespaces, namespaces } from './namespaces.ts';
