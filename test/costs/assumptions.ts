/** What decides on costs, and is neither counted nor a price: nothing here was measured on AWS. */
export const ASSUMED = {
  /** How long an invocation is billed, in ms. */
  milliseconds: {
    get: 15,
    list: 40,
    write: 50,
    relay: 15,
    dispatch: 50,
    tick: 300,
    quietTick: 20,
    canary: 150,
  },
  /** Of an invocation's log: our line of a request, and those that Lambda writes of each. */
  logBytes: { request: 750, invocation: 400 },
  /** Lambda keeps about so many long polls open on a queue, each of 20 s. */
  pollers: 5,
  pollSeconds: 20,
  /** The part of provisioned capacity that is in use where auto scaling has had its time. */
  utilization: 0.7,
  /** A month, in hours. */
  month: 730,
  /** Nodes of a small cluster, where a control plane is to run something too. */
  nodes: 2,
} as const;

export const HOURS_A_MONTH = ASSUMED.month;
export const MINUTES_A_MONTH = ASSUMED.month * 60;
export const SECONDS_A_MONTH = ASSUMED.month * 3_600;
