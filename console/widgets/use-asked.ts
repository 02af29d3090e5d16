import { useLayoutEffect, useState } from 'preact/hooks';

/** An answer on its way, an answer, or a failure. */
export interface UseAsked<Answer> {
  readonly answer?: Answer | undefined;
  /** The newest answer, also if it is one to an earlier question. */
  readonly latest?: Answer | undefined;
  readonly error?: Error | undefined;
  /** Whether the page shows an earlier answer while it asks again. */
  readonly isOld: boolean;
  /** Asks again. */
  readonly again: () => void;
}

/** A question. It may show a part of its answer before it resolves. */
export type Ask<Answer> = (signal: AbortSignal, show: (part: Answer) => void) => Promise<Answer>;

/** The time in which an answer that was read ahead needs no other reading, in ms. */
const FRESH = 5_000;
/** The page keeps the answers to this many questions. */
const MOST_KEPT = 20;

/** Questions that were asked before the part that shows their answer, by key. */
const kept = new Map<string, Asking<unknown>>();

/** A question that was asked, and what is known of its answer. */
class Asking<Answer> {
  readonly ending = new AbortController();
  news: { readonly answer?: Answer; readonly error?: Error } = {};
  /** When the whole answer came, in ms since 1970; 0 before. */
  at = 0;
  told = () => {};

  constructor(ask: Ask<Answer>) {
    const { signal } = this.ending;
    const tell = (news: typeof this.news) => {
      if (signal.aborted) return;
      this.news = news;
      this.told();
    };
    ask(signal, (answer) => tell({ answer })).then(
      (answer) => {
        this.at = Date.now();
        tell({ answer });
      },
      (error: Error) => tell({ error }),
    );
  }

  end(): void {
    this.ending.abort(new Error('another question was asked'));
  }
}

function keep(key: string, asking: Asking<unknown>): void {
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, asking);
}

/**
 * Asks a question before the part is shown that asks it by the same key. Returns a function that ends the question,
 * unless it is answered or the part has taken it over.
 */
export function askAhead<Answer>(key: string, ask: Ask<Answer>): () => void {
  const asking = new Asking<unknown>(ask as Ask<unknown>);
  keep(key, asking);
  return () => {
    if (kept.get(key) !== asking || asking.at > 0) return;
    kept.delete(key);
    asking.end();
  };
}

/**
 * Asks when the part is shown, and again whenever the key changes. While the same question is asked again, its last answer
 * stays. An answer that comes late, after a newer question, is dropped. With `keeps`, the answer is shown when the question
 * is asked the next time, until there is a new one.
 */
export function useAsked<Answer>(key: string, ask: Ask<Answer>, keeps = false): UseAsked<Answer> {
  const [state, setState] = useState<{ key: string; isOld?: boolean } & Asking<Answer>['news']>({ key });
  const [times, setTimes] = useState(0);
  // The question begins before the browser paints.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the question
  useLayoutEffect(() => {
    const before = kept.get(key) as Asking<Answer> | undefined;
    kept.delete(key);
    const isOld = before !== undefined && before.at > 0 && Date.now() - before.at > FRESH;
    if (isOld) setState({ key, isOld, ...before.news });
    const asking = before === undefined || isOld || before.news.error ? new Asking(ask) : before;
    asking.told = () => setState({ key, ...asking.news });
    if ('answer' in asking.news) asking.told();
    return () => {
      if (!keeps || asking.at === 0) return asking.end();
      asking.at = 1;
      keep(key, asking as Asking<unknown>);
    };
  }, [key, times]);
  const isCurrent = state.key === key;
  return {
    answer: isCurrent ? state.answer : undefined,
    latest: state.answer,
    error: isCurrent ? state.error : undefined,
    isOld: isCurrent && state.isOld === true,
    again: () => setTimes(times + 1),
  };
}
