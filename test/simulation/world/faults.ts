import type { Range } from './chance.ts';

/** How often what goes wrong (probabilities), and how bad it is (milliseconds). Data of a scenario. */
export interface Faults {
  /** A process dies at a call: before it is sent, or before its answer is heard. */
  readonly crash: number;
  /** Only at calls that begin so; undefined: at any. */
  readonly crashAt?: string;
  /** A process stands still at a call's answer. */
  readonly freeze: number;
  readonly freezeFor: Range;
  /** Only at the answer to calls that begin so; undefined: at any. */
  readonly freezeAt?: string;
  /** One attempt of a request is throttled; never reaches the service; takes effect and its answer is lost. */
  readonly throttle: number;
  readonly lostRequest: number;
  readonly lostAnswer: number;
  /** A request that was given up and sent again reaches the service all the same, this much later. */
  readonly lateRequest: number;
  readonly lateBy: Range;
  /** A transaction is this slow, before or after it holds its rows. */
  readonly slowTransaction: number;
  readonly slowFor: Range;
  /** A transaction's rows become readable one by one within this. */
  readonly spread: Range;
  /** So do rows of selectors, and marks among them expire: only where somebody looks at them. Else they draw no chance. */
  readonly tearsAnchors: boolean;
  /** How far an index lags behind the table, usually and at times. */
  readonly indexLag: Range;
  readonly indexStall: number;
  readonly indexStallFor: Range;
  /** A message of a batch is not accepted; a whole batch is not; one is delivered twice. */
  readonly refusedMessage: number;
  readonly failedBatch: number;
  /** Only of queues whose URLs begin so; undefined: of any. */
  readonly failedBatchAt?: string;
  readonly duplicate: number;
  /** A batch never reaches its queue and is never answered; only of queues whose URLs begin so. */
  readonly stalledBatch: number;
  readonly stalledBatchAt?: string;
  /** How far a process's clock may be off, in both directions. */
  readonly skew: number;
}

/** Nothing goes wrong: the usual latencies of the services only. */
export const CALM: Faults = {
  crash: 0,
  freeze: 0,
  freezeFor: [0, 0],
  throttle: 0,
  lostRequest: 0,
  lostAnswer: 0,
  lateRequest: 0,
  lateBy: [0, 0],
  slowTransaction: 0,
  slowFor: [0, 0],
  spread: [0, 5],
  tearsAnchors: false,
  indexLag: [10, 200],
  indexStall: 0,
  indexStallFor: [0, 0],
  refusedMessage: 0,
  failedBatch: 0,
  duplicate: 0,
  stalledBatch: 0,
  skew: 0,
};
