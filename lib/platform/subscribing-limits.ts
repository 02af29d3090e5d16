/** The size limits of Subscriptions and Tallies; each is a setting of the same name. */
export interface SubscribingLimits {
  /** One selector, in bytes of the form that `kubectl -l` takes. */
  readonly selectorBytes: number;
  /** All selectors of one namespace's Subscriptions together; the same limit applies to its Tallies. */
  readonly selectorBytesPerNamespace: number;
  /** All selectors by which dispatch sends the changes of one collection, in all namespaces together. */
  readonly selectorBytesPerCollection: number;
  readonly subscriptionsPerNamespace: number;
  readonly talliesPerNamespace: number;
}

const KIB = 1024;

/** The limits of a deployment that sets none. */
export const SUBSCRIBING_LIMITS: SubscribingLimits = {
  selectorBytes: 4 * KIB,
  selectorBytesPerNamespace: 1024 * KIB,
  selectorBytesPerCollection: 16 * 1024 * KIB,
  subscriptionsPerNamespace: 1_000,
  talliesPerNamespace: 1_000,
};

/**
 * Reads the limits from a function's environment variable, which holds the configured ones as JSON.
 *
 * @throws {Error} a limit is not a whole number above 0.
 */
export function readSubscribingLimits(text: string | undefined): SubscribingLimits {
  const given: unknown = JSON.parse(text ?? '{}');
  const limits = { ...SUBSCRIBING_LIMITS, ...(given as Partial<SubscribingLimits>) };
  const wrong = Object.entries(limits).find(([, value]) => !Number.isSafeInteger(value) || Number(value) < 1);
  if (wrong === undefined) return limits;
  throw new Error(`the limit ${wrong[0]} is ${wrong[1]}: it must be a whole number above 0`);
}
