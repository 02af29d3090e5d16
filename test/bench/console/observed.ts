/** What a page notes when it paints. Times are in ms: those of `leaving` since 1970, the others since the navigation. */
export interface Observed {
  /** The time at which rows were painted for the first time; 0 before. */
  rows: number;
  /** The time at which the row of a name was marked as leaving. */
  readonly leaving: Record<string, number>;
  /** For each key press, the time until the page was painted. */
  readonly presses: number[];
}

export interface Observer {
  readonly observed: Observed;
  /** The files and answers that the page received. */
  received(): Received[];
  /** Scrolls through the rows for a time. Resolves to the number of frames that took more than 50 ms. */
  scroll(time: number): Promise<number>;
}

export interface Received {
  readonly url: string;
  /** The bytes of the body as sent. */
  readonly bytes: number;
  /** The time of the last byte, in ms since the navigation. */
  readonly end: number;
}
