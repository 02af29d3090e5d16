/** The Lambda concurrency that each function needs in its account and region. This module does not load the CDK. */
export {
  type AccountConcurrency,
  CONCURRENCY,
  CONCURRENCY_QUOTA,
  CONCURRENT_FUNCTIONS,
  type ConcurrentFunction,
  leastConcurrency,
  type Reservations,
  readReservations,
  reservationFault,
  UNRESERVED_MINIMUM,
} from './concurrency.ts';
