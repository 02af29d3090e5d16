/** What each function needs of the Lambda concurrency of its account and region. It loads nothing of the CDK. */
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
