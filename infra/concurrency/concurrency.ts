/**
 * The functions of a deployment. `read` also stands for `read-with-login`, the entry point that checks the login
 * itself; `write` and `place` likewise.
 */
export const CONCURRENT_FUNCTIONS = [
  'authorizer',
  'read',
  'write',
  'place',
  'issue',
  'fill',
  'relay',
  'dispatch',
  'reconcile',
  'derive',
  'bind',
  'canary',
] as const;

/** The name of a function in {@link CONCURRENCY}. */
export type ConcurrentFunction = (typeof CONCURRENT_FUNCTIONS)[number];

/** The concurrent executions of one function. */
export interface ConcurrencyNeed {
  /** The need of one user with kubectl and one open watch. With less, requests wait for each other or get a 429. */
  readonly least: number;
  /** The reservation with `reservedConcurrency=on`. */
  readonly reserved: number;
  /** The smallest reservation with which the function works. */
  readonly smallest: number;
}

/**
 * The Lambda concurrency that each function needs in its account and region. The construct, the check before a
 * deployment and `winnow doctor` read this one table. A reservation is also a cap. `read` holds one execution for
 * each open watch, so it has the largest reservation by far. The functions behind queues have a limit for pollers of
 * their own.
 */
export const CONCURRENCY: Readonly<Record<ConcurrentFunction, ConcurrencyNeed>> = {
  authorizer: { least: 1, reserved: 30, smallest: 1 },
  read: { least: 2, reserved: 500, smallest: 2 },
  write: { least: 1, reserved: 100, smallest: 1 },
  place: { least: 1, reserved: 20, smallest: 1 },
  issue: { least: 1, reserved: 10, smallest: 1 },
  fill: { least: 1, reserved: 20, smallest: 1 },
  relay: { least: 1, reserved: 20, smallest: 1 },
  dispatch: { least: 1, reserved: 50, smallest: 3 },
  reconcile: { least: 1, reserved: 60, smallest: 3 },
  derive: { least: 1, reserved: 25, smallest: 3 },
  bind: { least: 1, reserved: 3, smallest: 3 },
  canary: { least: 1, reserved: 2, smallest: 1 },
};

/**
 * The concurrency that AWS keeps unreserved in every account.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
export const UNRESERVED_MINIMUM = 100;

/** The code of the quota `Concurrent executions` in Service Quotas. */
export const CONCURRENCY_QUOTA = 'L-B99A9384';

/** Reserved concurrent executions by function. An absent function has no reservation. */
export type Reservations = Readonly<Partial<Record<ConcurrentFunction, number>>>;

/** The total concurrency that a deployment of these functions needs at least. */
export function leastConcurrency(functions: Iterable<ConcurrentFunction>): number {
  return sum([...functions].map((name) => CONCURRENCY[name].least));
}

/** The Lambda concurrency of an account in a region. */
export interface AccountConcurrency {
  /** `ConcurrentExecutions` of `lambda get-account-settings`. */
  readonly limit: number;
  /** `UnreservedConcurrentExecutions` of the same. */
  readonly unreserved: number;
  /** The current reservations of this deployment's functions, which count as free for its next deployment. */
  readonly own?: number;
}

/** The error message for an account that cannot reserve that much; undefined if it can. */
export function reservationFault(
  { limit, unreserved, own = 0 }: AccountConcurrency,
  reservations: Reservations,
): string | undefined {
  const wanted = sum(Object.values(reservations));
  const free = Math.max(0, unreserved + own - UNRESERVED_MINIMUM);
  if (wanted <= free) return undefined;
  return (
    `reservedConcurrency reserves ${wanted} concurrent executions of Lambda, and this account can reserve ${free}: ` +
    `its limit is ${limit}, and AWS keeps ${UNRESERVED_MINIMUM} unreserved. Set reservedConcurrency to off or to smaller ` +
    `numbers, or ask Service Quotas for a higher limit (quota ${CONCURRENCY_QUOTA})`
  );
}

/**
 * Reads the setting `reservedConcurrency`: `off`, `on`, or numbers by function such as `authorizer=10,read=200`.
 *
 * @throws {Error} the value is invalid; the message names it
 */
export function readReservations(text: string): Reservations {
  if (text === 'off') return {};
  if (text === 'on') {
    return Object.fromEntries(CONCURRENT_FUNCTIONS.map((name) => [name, CONCURRENCY[name].reserved]));
  }
  const found: Partial<Record<ConcurrentFunction, number>> = {};
  for (const part of text.split(',').map((each) => each.trim())) {
    const [, name = '', digits = ''] = /^([a-z]+)=(\d{1,6})$/.exec(part) ?? [];
    const known = CONCURRENT_FUNCTIONS.find((one) => one === name);
    if (known === undefined) {
      throw new Error(
        `reservedConcurrency is ${JSON.stringify(text)}: use off, on, or numbers such as authorizer=10,read=200; ` +
          `the functions are ${CONCURRENT_FUNCTIONS.join(', ')}`,
      );
    }
    if (known in found) throw new Error(`reservedConcurrency names ${known} twice`);
    const { smallest } = CONCURRENCY[known];
    if (Number(digits) < smallest) {
      throw new Error(`reservedConcurrency sets ${known}=${digits}, but ${known} needs at least ${smallest}`);
    }
    found[known] = Number(digits);
  }
  return found;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
