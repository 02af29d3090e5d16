/** Local stand-ins for the other AWS services that functions call: KMS and Lambda. */
export { startInvocations } from './invocations.ts';
export { type Keys, startKeys } from './keys.ts';
