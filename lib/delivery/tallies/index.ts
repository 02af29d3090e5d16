/** What a subscription with `verify: true` was told so far: how many messages, and which set they make. */

export { EMPTY_TALLY, setIn, type Tally, tallyOf } from './tally.ts';
export { closeTally, readTallies, type Sent, storeTally } from './tally-rows.ts';
export { toldSoFar } from './told-so-far.ts';
export { type Telling, withTallies } from './with-tallies.ts';
