/** Proofs that Subscriptions may use user-owned queues, and the limits on tokens sent to such a queue. */
export { forgetProved, noteProved, type ProofOptions, returnToken, takeToken } from './queue-proofs.ts';
