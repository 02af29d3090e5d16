/** The digests of what subscriptions with `verify: true` were sent: the number of messages, and the resulting set. */
export { storedDigest } from './stored-digest.ts';
export { EMPTY_DIGEST, type SetDigest, setIn, tallyOf } from './tally.ts';
export { closeTally, readTallies, type Sent, storeDigest } from './tally-rows.ts';
export { type Telling, withDigests } from './with-tallies.ts';
