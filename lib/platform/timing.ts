/**
 * The protocol's durations in milliseconds. Their order is what makes the protocol safe (docs/architecture/README.md),
 * so it is asserted here, at module load, in every process.
 */
export const TIMING = {
  /** One write transaction, SDK retries included. */
  transaction: 2_000,
  /** How long a missing journal entry is waited for before a hole is put in its place. */
  grace: 4_000,
  /** How old a gap is before who only reads asks for it to be filled: a writer that is just committing takes less. */
  gapAsked: 500,
  /** How old a look at the definitions of custom kinds may be when a write is decided. */
  definitionLook: 1_000,
  /** What one API request may take, watches aside. */
  request: 25_000,
  /** How long after the end of its request the outcome of a write is asked for a last time. */
  verdict: 1_000,
  /** How long a write that is committed waits for its hint to be taken; the relay puts it again. */
  hint: 2_000,
  /** API Gateway's own limit on a buffered answer. */
  gateway: 29_000,
  /**
   * No turn of dispatch begins later after its invocation, nor is the lease waited for; the last moment it sends, the
   * function's timeout, and its lease on the cursor.
   */
  dispatchLastTurn: 12_500,
  dispatchSends: 25_000,
  dispatch: 30_000,
  dispatchLease: 35_000,
  /** The reconcile function's timeout and its lease on one subscription. */
  reconcile: 60_000,
  /**
   * For how long one message deletes the objects of a namespace or of a definition, before another message goes on. What
   * is left of the function's time is enough for a grace and for finalizers.
   */
  emptying: 20_000,
  reconcileLease: 70_000,
  /**
   * No round of binding begins later after its invocation; the function's timeout, and its lease, which each round
   * renews: what it has under way when it loses it comes to nothing.
   */
  placementLastRound: 45_000,
  placement: 60_000,
  placementLease: 15_000,
  /**
   * How long a queue holds a message back that a function died over: the event queue's, the reconcile queue's. By
   * then the lease of the dead function is over as well.
   */
  eventVisibility: 60_000,
  reconcileVisibility: 90_000,
  placementVisibility: 90_000,
  /** The function that fills gaps: a grace, and what goes before and after it. */
  fill: 10_000,
  /** The canary's function, which is over long before the next minute's. */
  canary: 30_000,
  /** An HTTP watch, unless the client asks for less. API Gateway cuts a stream that is silent for five minutes. */
  watch: 280_000,
  /** Between two looks of a watch, at most: in silence, and right after a change. */
  watchPoll: 500,
  watchPollBusy: 80,
  /** How often a watch of a custom kind looks whether the kind is still what it was. */
  watchedKind: 2_000,
  /** client-node gives a silent stream up after 30 s. */
  watchHeartbeat: 20_000,
  watchBookmark: 60_000,
  /**
   * How long a look at the version of the rows' schema counts; and how long before another one is written it is said,
   * so that by then nobody does anything who does not know it.
   */
  schemaLook: 60_000,
  schemaNotice: 180_000,
  /** How far clocks of different writers may be apart. */
  skew: 30_000,
  /** How far a label index may lag behind the table. */
  relabelWindow: 15 * 60_000,
  /** How long the journal is kept; its rows expire `expiry` after they were written, always later. */
  retention: 24 * 3_600_000,
  expiry: 48 * 3_600_000,
  /** How long a deleted object's tombstone guards its name against a create that began before. */
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
  throw new Error('TIMING: nobody may be at work by an old look when rows of another schema are written');
}
assertAscending('request', 'tombstone', 'retention', 'expiry');
assertAscending('skew', 'relabelWindow', 'retention');
