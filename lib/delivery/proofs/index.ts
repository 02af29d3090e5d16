/** The proofs that Subscriptions may use queues of users, and the limit of tokens sent to such a queue. */
export { forgetProved, noteProved, type ProofOptions, returnToken, takeToken } from './queue-proofs.ts';
