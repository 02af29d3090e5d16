/** The steps before an object is stored: decode, complete, change, check. */
export {
  ensureNamespace,
  IMMORTAL_NAMESPACES,
  namespaceNotFound,
  readNamespace,
  refuseTerminating,
  SYSTEM_NAMESPACES,
} from './admit-namespace.ts';
export { customSchema } from './custom-schema.ts';
export { decodeObject } from './decode-object.ts';
export { decodeSent } from './decode-sent.ts';
export type { DecodedObject } from './decoded-object.ts';
export {
  type AccountOptions,
  DEFAULT_ACCOUNT,
  ensureDefaultAccount,
} from './default-account.ts';
export { type EnsureOptions, ensureObject } from './ensure-object.ts';
export type { Application, FieldTracking } from './field-tracking.ts';
export { withNextGeneration } from './generation.ts';
export { writtenFields } from './json-text.ts';
export { dropNulls } from './json-values.ts';
export { judgeFaults, strictError } from './judge-faults.ts';
export { timestamp, timestampAt } from './metadata.ts';
export { generatesName, type NewObjectOptions, newObject } from './new-object.ts';
export { isGone, nextState, otherUid, refuseOtherName, withExpiry } from './next-state.ts';
export { releaseOf, removalOf, withoutGrace } from './removal.ts';
export {
  needsAddress,
  needsHealthPort,
  needsNodePorts,
  numberOf,
  portsOf,
  qualityOf,
  rulesOf,
} from './rules/index.ts';
export { shapesOf } from './shapes-of.ts';
export { trackFields } from './track-fields.ts';
export { spelled, spelledMutation, typedState } from './typed-object.ts';
export { converterBetween, versionsOf } from './version-converter.ts';
export { sentWarnings, writtenWarnings } from './write-warnings.ts';
