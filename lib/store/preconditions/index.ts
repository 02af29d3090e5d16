/** The preconditions of a write: rows other than the object's own on which its transaction is conditional. */
export {
  ACCESS_COLLECTIONS,
  type AccessVersions,
  accessEntries,
  accessItems,
  forgetRuleVersions,
  newSecret,
  RULE_COLLECTIONS,
  type RuleVersions,
  readAccessVersions,
  ruleVersions,
  versionsIn,
} from './access-versions.ts';
export { type Fence, fenceItem } from './fence.ts';
export { type QuotaVersion, readQuotaVersion, turnItem } from './quota-versions.ts';
export { planReservations, type ReservationPlan, readHolders, reservationItems } from './reservations.ts';
