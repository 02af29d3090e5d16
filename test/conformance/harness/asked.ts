const BATCH = 1000;

interface Asking<Question, Answer> {
  /** The number of questions. */
  readonly cases: number;
  next(): Question;
  /** Returns an answer for each question, in their order. */
  ask(questions: readonly Question[]): readonly Answer[];
}

/** Yields each question with the answer of an oracle, which receives many questions at a time. */
export function* asked<Question, Answer>({ cases, next, ask }: Asking<Question, Answer>) {
  for (let done = 0; done < cases; done += BATCH) {
    const questions = Array.from({ length: Math.min(BATCH, cases - done) }, next);
    const answers = ask(questions);
    if (answers.length !== questions.length) throw new Error('an oracle left questions unanswered');
    for (const [at, question] of questions.entries()) yield [question, answers[at] as Answer] as const;
  }
}
