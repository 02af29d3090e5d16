/** What functions ask of AWS beside the table and the queues: KMS, and Lambda itself. */
export { startInvocations } from './invocations.ts';
export { type Keys, startKeys } from './keys.ts';
