import type { Range } from './chance.ts';

/** The faults of a scenario: how often each occurs (probabilities), and how bad it is (milliseconds). */
export interface Faults {
  /** A process dies at a call: before it is sent, or before its answer is received. */
  readonly crash: number;
  /** Only at calls whose text begins so; undefined: at any. */
  readonly crashAt?: string;
  /** A process stands still when it receives a call's answer. */
  readonly freeze: number;
  readonly freezeFor: Range;
  /** Only at the answer to calls whose text begins so; undefined: at any. */
  readonly freezeAt?: string;
  /**
   * One attempt of a request is throttled (`throttle`), never reaches the service (`lostRequest`), or takes effect and
   * its answer is lost (`lostAnswer`).
   */
  readonly throttle: number;
  readonly lostRequest: number;
  readonly lostAnswer: number;
  /** A lost request that the SDK sent again reaches the service all the same, this much later. */
  readonly lateRequest: number;
  readonly lateBy: Range;
  /** A transaction is this slow, before or after it holds its rows. */
  readonly slowTransaction: number;
  readonly slowFor: Range;
  /** A transaction's rows become readable one by one within this time. */
  readonly spread: Range;
  /**
   * Whether postings become readable one by one too, and expire. Only scenarios that read them need it; in others they
   * draw no random numbers.
   */
  readonly tearsAnchors: boolean;
  /**
   * How far an index lags behind the table: usually (`indexLag`), and with the chance `indexStall` (`indexStallFor`).
   */
  readonly indexLag: Range;
  readonly indexStall: number;
  readonly indexStallFor: Range;
  /**
   * A message of a batch is refused (`refusedMessage`), a whole batch fails (`failedBatch`), or a message is delivered
   * twice (`duplicate`).
   */
  readonly refusedMessage: number;
  readonly failedBatch: number;
  /** Only in queues whose URLs begin so; undefined: in any. */
  readonly failedBatchAt?: string;
  readonly duplicate: number;
  /** A batch never reaches its queue and is never answered; only in queues whose URLs begin so. */
  readonly stalledBatch: number;
  readonly stalledBatchAt?: string;
  /** How far a process's clock may be off, in both directions. */
  readonly skew: number;
}

/** No faults: only the usual latencies of the services. */
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
