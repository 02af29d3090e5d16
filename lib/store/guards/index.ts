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
export { planReservations, type ReservationPlan, readHolders, reservationItems } from './reservations.ts';
export { type QuotaVersion, readQuotaVersion, turnItem } from './turns.ts';
