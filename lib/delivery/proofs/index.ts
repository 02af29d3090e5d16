/** Who has proved that it may read a queue of users, and how many tokens for that the queue gets. */
export { forgetProved, noteProved, type ProofOptions, returnToken, takeToken } from './queue-proofs.ts';
