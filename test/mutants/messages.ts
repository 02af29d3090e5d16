/** One run of a scenario. */
export interface Run {
  readonly scenario: string;
  readonly seed: number;
}

/** What a worker is asked: to run something with a mutant on, or with none, to see what is reached. */
export interface Ask<Piece> {
  readonly mutant: string | undefined;
  readonly pieces: readonly Piece[];
  /** Questions that the switch answers in one piece, as many as would be an endless loop. */
  readonly most?: number;
}

/** What became of it. */
export interface Answer {
  /** What found the mutant out; undefined: nothing did. */
  readonly by: string | undefined;
  /** The mutants that were reached, where none was on. */
  readonly met: readonly string[];
  /** Questions that the switch was asked in the longest piece. */
  readonly asked: number;
  /** Ms of CPU time that the process took: the same on a machine that is busy with something else. */
  readonly cpu: number;
}

/** What a worker finds out by itself. */
export type Finding = Omit<Answer, 'cpu'>;
