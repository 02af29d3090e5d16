/** Rows beside the object's own on which the transaction of a write is conditional. */
export {
  ACCESS_COLLECTIONS,
  type AccessVersions,
  accessEntries,
  accessItems,
  newSecret,
  readAccessVersions,
} from './access-versions.ts';
export { type Fence, fenceItem } from './fence.ts';
export { type QuotaVersion, readQuotaVersion, turnItem } from './quota-versions.ts';
export { planReservations, type ReservationPlan, readHolders, reservationItems } from './reservations.ts';
