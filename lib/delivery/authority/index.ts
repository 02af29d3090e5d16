/**
 * The author of a Subscription or a Tally, and the objects that may be delivered. The API decides it, and dispatch
 * enforces it.
 */
export { type Author, authorIn, isSameAuthor, type Writer, writerIn } from './author.ts';
export { type AuthoredNow, type AuthoredOptions, authoredNow } from './authored-now.ts';
export {
  type Authored,
  type Authority,
  authorsOf,
  NOT_SEEN,
  ofTally,
  SCOPE_CHANGED,
  type Verdict,
  verdictNow,
} from './authority.ts';
export { beginSeen } from './begin-seen.ts';
