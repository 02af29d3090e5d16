import { useEffect, useState } from 'preact/hooks';

/** An answer on its way, an answer, or a failure. */
export interface UseAsked<Answer> {
  readonly answer?: Answer | undefined;
  /** The newest answer, also if it is one to an earlier question. */
  readonly latest?: Answer | undefined;
  readonly error?: Error | undefined;
  /** Asks again. */
  readonly again: () => void;
}

/**
 * Asks when the part is shown, and again whenever the key changes. While the same question is asked again, its last answer
 * stays. An answer that comes late, after a newer question, is dropped.
 */
export function useAsked<Answer>(
  key: string,
  ask: (signal: AbortSignal) => Promise<Answer>,
): UseAsked<Answer> {
  const [state, setState] = useState<{ key: string; answer?: Answer; error?: Error }>({ key });
  const [times, setTimes] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the question
  useEffect(() => {
    const ending = new AbortController();
    ask(ending.signal).then(
      (answer) => !ending.signal.aborted && setState({ key, answer }),
      (error: Error) => !ending.signal.aborted && setState({ key, error }),
    );
    return () => ending.abort(new Error('another question was asked'));
  }, [key, times]);
  const isCurrent = state.key === key;
  return {
    answer: isCurrent ? state.answer : undefined,
    latest: state.answer,
    error: isCurrent ? state.error : undefined,
    again: () => setTimes(times + 1),
  };
}
