/**
 * The protocol's durations in ms. The protocol is safe only if they are in this order (docs/architecture/watch.md).
 * The order is asserted here, when the module loads, in every process.
 */
export const TIMING = {
  /** One write transaction, SDK retries included. */
  transaction: 2_000,
  /** How long a gap may stay open before a hole is put in its place. */
  grace: 4_000,
  /**
   * The age of a gap at which read-only functions request its fill. A writer that is just committing takes less time.
   */
  gapAsked: 500,
  /** The most age of the known definitions of custom kinds when a write is decided. */
  definitionLook: 1_000,
  /** The longest API request, except watches. */
  request: 25_000,
  /** The time after the end of a request at which the outcome of its write is read for the last time. */
  verdict: 1_000,
  /**
   * How long a committed write waits until SQS accepts its hint. If SQS does not accept the hint, the relay sends it
   * again.
   */
  hint: 2_000,
  /** API Gateway's own limit for a buffered answer. */
  gateway: 29_000,
  /**
   * Times after the start of a dispatch invocation: the last moment at which a round begins or the lease is awaited,
   * the last moment at which it sends, and the function's timeout. Then its lease on the cursor.
   */
  dispatchLastTurn: 12_500,
  dispatchSends: 25_000,
  dispatch: 30_000,
  dispatchLease: 35_000,
  /** The reconcile function's timeout and its lease on one subscription. */
  reconcile: 60_000,
  /**
   * How long one message deletes the objects of a namespace or a definition, before another message continues. The
   * rest of the function's time is enough for a grace and for finalizers. Then the lease.
   */
  emptying: 20_000,
  reconcileLease: 70_000,
  /**
   * The last moment after the start of an invocation at which a round of binding begins, the function's timeout, and
   * its lease. Each round renews the lease. Bindings that are under way when the lease is lost fail.
   */
  placementLastRound: 45_000,
  placement: 60_000,
  placementLease: 15_000,
  /**
   * How long a queue hides a message after its function crashed: the event queue, the reconcile queue and the placement
   * queue. When the message becomes visible again, the lease of the crashed function is over as well.
   */
  eventVisibility: 60_000,
  reconcileVisibility: 90_000,
  placementVisibility: 90_000,
  /** The timeout of the function `fill`: a grace, and the work before and after it. */
  fill: 10_000,
  /** The timeout of the canary's function, which ends long before the next minute's. */
  canary: 30_000,
  /** The longest HTTP watch; clients may ask for less. API Gateway cuts a stream that is silent for five minutes. */
  watch: 280_000,
  /** The longest pause between two reads of a watch: without changes, and right after a change. */
  watchPoll: 300,
  watchPollBusy: 80,
  /** How often a watch of a custom kind checks that the kind is unchanged. */
  watchedKind: 2_000,
  /** client-node closes a stream that is silent for 30 s. */
  watchHeartbeat: 20_000,
  watchBookmark: 60_000,
  /**
   * How long a process may use the row schema version that it read. Then how long a new version is announced before any
   * process writes it, so that every process knows it in time.
   */
  schemaLook: 60_000,
  schemaNotice: 180_000,
  /** The most by which clocks of different writers may differ. */
  skew: 30_000,
  /** The most by which a label index may lag behind the table. */
  relabelWindow: 15 * 60_000,
  /** How long before the end of a copy of the table a transaction may be incomplete in it. */
  torn: 15 * 60_000,
  /** How long the journal is kept. Its rows expire `expiry` after they were written, always later. */
  retention: 24 * 3_600_000,
  expiry: 48 * 3_600_000,
  /**
   * The lifetime of a row that only stops writes which began earlier, for example the row of a freed value. Tombstones
   * are kept as long as journal entries.
   */
  tombstone: 3_600_000,
} as const;

function assertAscending(...names: (keyof typeof TIMING)[]): void {
  const values = names.map((name) => TIMING[name]);
  if (values.some((value, index) => index > 0 && value <= (values[index - 1] ?? 0))) {
    throw new Error(`TIMING must ascend: ${names.join(' < ')}`);
  }
}

assertAscending('transaction', 'grace', 'request', 'gateway');
assertAscending('grace', 'fill', 'request');
if (TIMING.request + TIMING.verdict + TIMING.hint >= TIMING.gateway) {
  throw new Error(
    'TIMING: a write at the end of its time must still be answered before the gateway gives up',
  );
}
assertAscending('dispatchLastTurn', 'dispatchSends', 'dispatch', 'dispatchLease', 'eventVisibility');
if (TIMING.dispatchLastTurn + TIMING.dispatchLease >= TIMING.eventVisibility) {
  throw new Error('TIMING: the lease that a dispatcher waited for must be over when its message comes again');
}
assertAscending('grace', 'emptying', 'reconcile', 'reconcileLease', 'reconcileVisibility');
assertAscending('placementLease', 'placementLastRound', 'placement', 'placementVisibility');
if (TIMING.schemaLook + 2 * TIMING.request + TIMING.skew >= TIMING.schemaNotice) {
  throw new Error(
    'TIMING: a process must look at the schema again before rows of another schema are written',
  );
}
assertAscending('request', 'tombstone', 'retention', 'expiry');
assertAscending('skew', 'relabelWindow', 'retention');
assertAscending('skew', 'torn', 'retention');
