/** What a subscription with `verify: true` was told so far: how many messages, and which set they make. */
export { storedDigest } from './stored-digest.ts';
export { EMPTY_DIGEST, type SetDigest, setIn, tallyOf } from './tally.ts';
export { closeTally, readTallies, type Sent, storeDigest } from './tally-rows.ts';
export { type Telling, withDigests } from './with-tallies.ts';
