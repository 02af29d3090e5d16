const BATCH = 1000;

interface Asking<Question, Answer> {
  /** How many questions. */
  readonly cases: number;
  next(): Question;
  /** An answer for each, in their order. */
  ask(questions: readonly Question[]): readonly Answer[];
}

/** Each question with what an oracle says of it, which is asked for many at a time. */
export function* asked<Question, Answer>({ cases, next, ask }: Asking<Question, Answer>) {
  for (let done = 0; done < cases; done += BATCH) {
    const questions = Array.from({ length: Math.min(BATCH, cases - done) }, next);
    const answers = ask(questions);
    if (answers.length !== questions.length) throw new Error('an oracle left questions unanswered');
    for (const [at, question] of questions.entries()) yield [question, answers[at] as Answer] as const;
  }
}
